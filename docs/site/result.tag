<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<!-- The one class that signatures of the vendor's functions name. With all classes, Doxygen also links words that only look like members. -->
<tagfile>
  <compound kind="struct">
    <name>cubind::Result</name>
    <filename>structcubind_1_1Result.html</filename>
  </compound>
</tagfile>
