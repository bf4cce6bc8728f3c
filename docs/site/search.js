// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Search over the names in search_index.js, which is loaded at the first use: as a script, so that it works from file://.
// A row of the index is [kind, scope, page, names]: names are separated by spaces, and "%" in the page stands for the name.
"use strict";

const cubindSearch = (() => {
    const kinds = {
        c: "class", f: "function", p: "public name", m: "member", e: "enumerator", n: "enum", r: "record", t: "type", v: "constant",
        g: "header", d: "page", s: "section",
    };
    const order = "cpfdnmrtgsve";
    let entries = null;
    // All names in lower case, one a line, because one search in a long text is faster than many in short ones; and where each begins.
    let text = "", begins = [];

    /// Returns the name of Doxygen's page for a name: it doubles underscores.
    const pageOf = (pattern, name) => pattern.replace("%", name.replaceAll("_", "__"));

    function load(rows) {
        entries = [];
        for (const [kind, scope, page, names] of rows) {
            for (const text of kind === "s" || kind === "d" ? names.split("\n") : names.split(" ")) {
                // "name:suffix" is a public name, whose page is that of the name with the suffix; "title#anchor" is a section of a page.
                const [name, suffix] = kind === "p" ? text.split(":") : kind === "s" ? text.split("#") : [text, ""];
                const url = kind === "s" ? page + "#" + suffix : "me".includes(kind) ? page + "#" + encodeURIComponent(name)
                    : page.includes("#") ? page.replace("%", name) : pageOf(page, name + suffix);
                const qualified = scope && !"ds".includes(kind) ? scope + "::" + name : name;
                // A section is found by the words of its page, too.
                const whole = (kind === "s" ? scope + " " + name : qualified).toLowerCase();
                entries.push({name, kind, scope, url, qualified, lower: name.toLowerCase(), whole});
            }
        }
        // Shorter names come first, and among those of one length kinds that programs write.
        entries.sort((a, b) => a.name.length - b.name.length || order.indexOf(a.kind) - order.indexOf(b.kind) ||
            (a.qualified < b.qualified ? -1 : 1));
        text = entries.map(entry => entry.whole).join("\n");
        let at = 0;
        begins = entries.map(entry => { const begin = at; at += entry.whole.length + 1; return begin; });
    }

    /// Returns how well a name that contains the words matches, smaller is better; -1 if it does not.
    function rank(entry, query, lower, words) {
        if (entry.qualified === query) return 0;
        if (entry.name === query) return 1;
        if (entry.lower === lower || entry.whole === lower) return 2;
        const at = entry.lower.indexOf(lower);
        if (at === 0) return 3;
        if (at > 0) {
            // The beginning of a word of the name: after a separator, or at a capital letter.
            const before = entry.name[at - 1], first = entry.name[at];
            return /[^A-Za-z0-9]/.test(before) || (/[A-Z]/.test(first) && /[^A-Z]/.test(before)) ? 4 : 5;
        }
        if (!words.every(word => entry.whole.includes(word))) return -1;
        return entry.whole.includes(lower) ? 5 : words.every(word => entry.lower.includes(word)) ? 6 : 7;
    }

    /// Returns the `limit` best matches and the number of all.
    function find(typed, limit) {
        const query = typed.trim().replace(/\(\)$/, "").replace(/^(cubind)?::/, "");
        const lower = query.toLowerCase();
        const words = lower.split(/[\s:.]+/).filter(word => word !== "").sort((a, b) => b.length - a.length);
        if (words.length === 0) return {found: [], count: 0};
        const ranks = Array.from({length: 8}, () => []);
        let count = 0, index = 0;
        for (let at = text.indexOf(words[0]); at >= 0; at = index < entries.length ? text.indexOf(words[0], begins[index]) : -1) {
            while (index + 1 < entries.length && begins[index + 1] <= at) ++index;
            const value = rank(entries[index], query, lower, words);
            // The entries are in their order, so that the first ones of a rank are its best.
            if (value >= 0 && ranks[value].length < limit) ranks[value].push(entries[index]);
            if (value >= 0) ++count;
            ++index;
        }
        return {found: ranks.flat().slice(0, limit), count};
    }

    return {kinds, load, find, all: () => entries, isLoaded: () => entries !== null};
})();

if (typeof module !== "undefined") module.exports = cubindSearch;

if (typeof document !== "undefined") (() => {
    const root = document.currentScript.dataset.root;
    const input = document.getElementById("MSearchBox"), list = document.getElementById("search-results");
    const limit = 40;
    let selected = -1;

    const element = (name, className, text) => {
        const made = document.createElement(name);
        made.className = className;
        made.textContent = text;
        return made;
    };

    function show() {
        if (!cubindSearch.isLoaded()) return;
        const text = input.value.trim();
        list.replaceChildren();
        list.hidden = text === "";
        selected = -1;
        if (text === "") return;
        const begin = performance.now();
        const {found, count} = cubindSearch.find(text, limit);
        document.documentElement.dataset.searchTime = (performance.now() - begin).toFixed(2);
        for (const entry of found) {
            const row = element("a", "result", "");
            row.href = root + entry.url;
            row.setAttribute("role", "option");
            row.append(element("span", "name", entry.name), element("span", "scope", entry.scope),
                element("span", "kind", cubindSearch.kinds[entry.kind]));
            list.append(row);
        }
        if (count > found.length) list.append(element("div", "note", `${count - found.length} more; type more of the name`));
        if (count === 0) {
            list.append(element("div", "note nothing", `Nothing found for "${text}". Type a part of one name, such as MemAlloc.`));
        }
        select(count > 0 ? 0 : -1);
    }

    function select(index) {
        const rows = list.querySelectorAll("a.result");
        if (rows.length === 0) return;
        rows[selected]?.classList.remove("selected");
        selected = Math.max(0, Math.min(rows.length - 1, index));
        rows[selected].classList.add("selected");
        rows[selected].scrollIntoView({block: "nearest"});
    }

    function open() {
        if (cubindSearch.isLoaded() || document.getElementById("search-index")) return show();
        const script = document.createElement("script");
        script.id = "search-index";
        script.src = root + "search_index.js";
        script.onload = () => { cubindSearch.load(window.cubindNames); show(); };
        document.head.append(script);
    }

    input.addEventListener("focus", open);
    input.addEventListener("input", open);
    input.addEventListener("keydown", event => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            select(selected + (event.key === "ArrowDown" ? 1 : -1));
        } else if (event.key === "Enter") {
            list.querySelector("a.selected")?.click();
        } else if (event.key === "Escape") {
            list.hidden = true;
            input.blur();
        } else {
            return;
        }
        event.preventDefault();
    });
    document.addEventListener("keydown", event => {
        if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input, textarea")) return;
        event.preventDefault();
        input.focus();
        input.select();
    });
    document.addEventListener("click", event => { if (!event.target.closest("#site-search")) list.hidden = true; });

    /// Shows the member or enumerator that the address names: Doxygen's own anchors are hashes, which the index omits.
    function goToName() {
        list.hidden = true;
        const name = decodeURIComponent(location.hash.slice(1));
        if (name === "" || document.getElementById(name) || document.getElementsByName(name).length > 0) return;
        const places = ["h2.memtitle", "td.fieldname", "table.doxtable td:first-child", "td[class$=emItemRight] > :first-child, td[class$=emItemRight] > b"];
        for (const each of places.flatMap(place => [...document.querySelectorAll(place)])) {
            if (!each.textContent.replace(/[^\w~=+*<>!-]+/g, " ").split(" ").includes(name)) continue;
            each.scrollIntoView({block: "center"});
            each.classList.add("found");
            return;
        }
    }

    for (const title of document.querySelectorAll("h2.groupheader")) title.hidden = title.textContent.trim() === "";
    window.addEventListener("hashchange", goToName);
    window.addEventListener("load", goToName);
})();
