// x
  #  define	TOY_VERSION   12080 /* */
