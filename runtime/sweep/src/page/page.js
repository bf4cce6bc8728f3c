"use strict";
(() => {
    // ---- table ----------------------------------------------------------------------------------------------------------

    const body = document.querySelector("tbody");
    const heads = [...document.querySelectorAll("th")];

    function compare(first, second) {
        const [a, b] = [first.dataset.value, second.dataset.value];
        if (a !== undefined && b !== undefined) return Number(a) - Number(b);
        return first.textContent.localeCompare(second.textContent, "en", {numeric: true});
    }

    // Cells without a number come last in both directions if the column has numbers.
    function sortBy(column, direction) {
        const rows = [...body.rows];
        const hasNumbers = rows.some(row => row.cells[column].dataset.value !== undefined);
        const isMissing = row => hasNumbers && row.cells[column].dataset.value === undefined;
        rows.sort((a, b) => isMissing(a) - isMissing(b) || direction * compare(a.cells[column], b.cells[column]));
        body.append(...rows);
        heads.forEach((head, index) => {
            if (index === column) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
            else head.removeAttribute("aria-sort");
        });
    }

    heads.forEach((head, column) => {
        if (body.rows[0]?.cells[column]?.classList.contains("number")) head.classList.add("number");
        head.firstChild.addEventListener("click", () => sortBy(column, head.getAttribute("aria-sort") === "ascending" ? -1 : 1));
    });
    for (const cell of body.querySelectorAll("td")) {
        if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
    }

    // ---- charts ---------------------------------------------------------------------------------------------------------

    const section = document.getElementById("charts");
    if (!section || !window.Chart) return;
    const data = JSON.parse(document.getElementById("data").textContent);
    const rows = data.measurements.filter(row => row.device);
    const {x: xSelect, y: ySelect, "log-x": logX, "log-y": logY} = section.querySelector("form").elements;
    const canvas = section.querySelector("canvas");
    const legend = section.querySelector(".legend");
    const shapes = ["circle", "triangle", "rect", "rectRot", "star", "crossRot", "cross"];
    const signs = ["\u25cf", "\u25b2", "\u25a0", "\u25c6", "\u2733", "\u2716", "\u271a"];
    const bars = "configuration";
    let chart = null;

    const distinct = values => [...new Set(values)];
    const valuesOf = index => distinct(rows.map(row => row.values[index]));
    const parameters = data.parameters.map((name, index) => ({name, index, values: valuesOf(index)}));
    const varying = parameters.filter(parameter => parameter.values.length > 1);
    const numeric = varying.filter(parameter => parameter.values.every(value => typeof value === "number"));
    const range = values => Math.max(...values) / Math.min(...values);
    const isPositive = values => values.every(value => value > 0);
    const shorten = (text, length) => text.length > length ? text.slice(0, length - 1) + "\u2026" : text;
    const labelOf = (row, left) => left.map(parameter => `${parameter.name} = ${row.values[parameter.index]}`).join(", ");

    function timeMetric(title, of) {
        const largest = Math.max(...rows.map(row => of(row).median));
        const [unit, scale] = largest >= 1 ? ["s", 1] : largest >= 1e-3 ? ["ms", 1e3] : largest >= 1e-6 ? ["us", 1e6] : ["ns", 1e9];
        return {title: `${title} [${unit}]`, value: row => of(row).median * scale,
                ends: row => [of(row).lower * scale, of(row).upper * scale]};
    }

    const metrics = [timeMetric("median time", row => row.device)];
    if (rows.every(row => row.host)) metrics.push(timeMetric("median host time", row => row.host));
    data.columns.forEach((column, index) => {
        if (!rows.some(row => row.columns[index] !== null)) return;
        metrics.push({title: column.unit ? `${column.name} [${column.unit}]` : column.name, value: row => row.columns[index],
                      ends: () => null});
    });

    function text(number) {
        return Number(number.toPrecision(4)).toLocaleString("en", {maximumSignificantDigits: 4});
    }

    // Labels powers of ten, and in short ranges also twice and five times these.
    function logText(range) {
        const labelled = range < 100 ? [1, 2, 5] : [1];
        return number => labelled.includes(Number((number / 10 ** Math.floor(Math.log10(number) + 1e-9)).toFixed(6))) ? text(number) : "";
    }

    // Sizes are mostly powers of two.
    function sizeText(number) {
        for (const [unit, size] of [[" Gi", 2 ** 30], [" Mi", 2 ** 20], [" Ki", 2 ** 10]]) {
            if (number >= size && number % (size / 4) === 0) return number / size + unit;
        }
        return text(number);
    }

    // Lines from the lower to the upper end of each interval.
    const intervals = {
        id: "intervals",
        afterDatasetsDraw(drawn) {
            const {chartArea, ctx, scales} = drawn;
            drawn.data.datasets.forEach((set, index) => {
                const meta = drawn.getDatasetMeta(index);
                if (!drawn.isDatasetVisible(index)) return;
                ctx.save();
                ctx.beginPath();
                ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
                ctx.clip();
                ctx.strokeStyle = set.isBar ? style("--text") : set.borderColor;
                ctx.lineWidth = 1.5;
                set.data.forEach((point, at) => {
                    const element = meta.data[at];
                    if (!point.ends || !element) return;
                    const [from, to] = point.ends.map(end => (set.isBar ? scales.x : scales.y).getPixelForValue(end));
                    ctx.beginPath();
                    if (set.isBar) {
                        ctx.moveTo(from, element.y);
                        ctx.lineTo(to, element.y);
                    } else {
                        ctx.moveTo(element.x, from);
                        ctx.lineTo(element.x, to);
                    }
                    ctx.stroke();
                });
                ctx.restore();
            });
        },
    };

    const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const colorOf = index => style(`--series-${index % 7}`);

    function seriesBy(parameter, metric) {
        const left = varying.filter(each => each !== parameter);
        const groups = new Map();
        for (const row of rows) {
            if (metric.value(row) === null) continue;
            const label = labelOf(row, left) || data.sweep;
            if (!groups.has(label)) groups.set(label, []);
            groups.get(label).push({x: row.values[parameter.index], y: metric.value(row), ends: metric.ends(row)});
        }
        return [...groups].map(([label, points], index) => ({
            label, data: points.sort((a, b) => a.x - b.x), borderColor: colorOf(index), backgroundColor: colorOf(index), borderWidth: 2,
            pointStyle: shapes[index % 7], pointRadius: points.length > 40 ? 2 : 5, pointHoverRadius: 7, pointBorderWidth: 2,
            pointBackgroundColor: "transparent",
            borderDash: [[], [6, 3], [2, 2], [8, 3, 2, 3]][Math.floor(index / 7) % 4],
        }));
    }

    function barsOf(metric) {
        const shown = rows.filter(row => metric.value(row) !== null);
        const length = section.clientWidth < 600 ? 18 : 48;
        const points = shown.map(row => ({x: metric.value(row), y: labelOf(row, varying), ends: metric.ends(row)}));
        // Without the names of parameters, more of the values fits.
        const isLong = points.some(point => point.y.length > length);
        const labels = shown.map((row, index) => isLong ? varying.map(each => row.values[each.index]).join(", ") : points[index].y);
        points.forEach((point, index) => {
            point.title = point.y;
            point.y = index;
        });
        return {labels, length,
                datasets: [{label: metric.title, data: points, isBar: true, backgroundColor: colorOf(0), maxBarThickness: 28}]};
    }

    function axis(title, isLog, extra) {
        return {type: isLog ? "logarithmic" : "linear", title: {display: true, text: title, color: style("--text")},
                grid: {color: style("--line"), borderColor: style("--line")}, ...extra,
                ticks: {color: style("--soft"), ...extra.ticks}};
    }

    function xAxis(parameter, isLog) {
        const values = [...parameter.values].sort((a, b) => a - b);
        const step = Math.ceil(values.length / (section.clientWidth < 600 ? 5 : 12));
        const [first, last] = [values[0], values[values.length - 1]];
        const margin = isLog ? (last / first) ** 0.02 : (last - first) * 0.02;
        return axis(parameter.name, isLog, {
            min: isLog ? first / margin : first - margin, max: isLog ? last * margin : last + margin,
            ticks: {callback: sizeText, autoSkip: true, maxRotation: 45},
            afterBuildTicks(scale) {
                scale.ticks = values.filter((_, index) => index % step === 0).map(value => ({value}));
            },
        });
    }

    function draw() {
        chart?.destroy();
        chart = null;
        const metric = metrics[Number(ySelect.value)];
        const parameter = numeric[Number(xSelect.value)];
        logX.disabled = !parameter || !isPositive(parameter.values);
        const isBar = !parameter;
        const bar = isBar ? barsOf(metric) : null;
        const sets = isBar ? bar.datasets : seriesBy(parameter, metric);
        const ys = sets.flatMap(set => set.data.flatMap(point => point.ends ?? [isBar ? point.x : point.y]));
        logY.disabled = !isPositive(ys);
        const isLogY = logY.checked && !logY.disabled;
        const valueAxis = axis(metric.title, isLogY, {
            position: isBar ? "top" : "left", beginAtZero: true, suggestedMax: Math.max(...ys), ...isLogY && {suggestedMin: Math.min(...ys)},
            ticks: {callback: isLogY ? logText(range(ys)) : text},
        });
        canvas.parentNode.style.height = isBar ? `${Math.max(200, sets[0].data.length * 24 + 70)}px` : "";
        const labelAxis = isBar ? {type: "category", labels: bar.labels, offset: true, grid: {display: false, borderColor: style("--line")},
            ticks: {color: style("--text"), autoSkip: false, callback: (_, index) => shorten(bar.labels[index], bar.length)}} : null;
        chart = new Chart(canvas, {
            type: isBar ? "bar" : "line",
            data: {datasets: sets},
            options: {
                animation: false, maintainAspectRatio: false, locale: "en", indexAxis: isBar ? "y" : "x",
                interaction: {mode: "nearest", intersect: false},
                scales: isBar ? {x: valueAxis, y: labelAxis} : {x: xAxis(parameter, logX.checked && !logX.disabled), y: valueAxis},
                plugins: {
                    legend: {display: false},
                    tooltip: {
                        callbacks: {
                            title: items => items.map(item => isBar ? item.raw.title : `${parameter.name} = ${item.raw.x.toLocaleString("en")}`)[0],
                            label: item => `${isBar ? "" : item.dataset.label + ": "}${text(isBar ? item.raw.x : item.raw.y)}`,
                            afterLabel: item => item.raw.ends ? `interval ${item.raw.ends.map(text).join(" to ")}` : "",
                        },
                    },
                },
            },
            plugins: [intervals],
        });
        drawLegend(isBar ? [] : sets);
    }

    // Buttons, because those of a canvas cannot be reached by keyboard.
    function drawLegend(sets) {
        legend.replaceChildren(...sets.length < 2 ? [] : sets.map((set, index) => {
            const item = document.createElement("li");
            const button = document.createElement("button");
            const sign = document.createElement("i");
            sign.textContent = signs[index % 7];
            sign.style.color = set.borderColor;
            sign.setAttribute("aria-hidden", "true");
            button.type = "button";
            button.setAttribute("aria-pressed", "true");
            button.append(sign, set.label);
            button.addEventListener("click", () => {
                const isShown = !chart.isDatasetVisible(index);
                chart.setDatasetVisibility(index, isShown);
                button.setAttribute("aria-pressed", String(isShown));
                chart.update();
            });
            item.append(button);
            return item;
        }));
    }

    // Chooses what suits the values; the reader may choose otherwise.
    function chooseScales() {
        const parameter = numeric[Number(xSelect.value)];
        const ys = rows.map(metrics[Number(ySelect.value)].value).filter(value => value !== null);
        logX.checked = Boolean(parameter) && isPositive(parameter.values) && parameter.values.length > 2 && range(parameter.values) >= 8;
        logY.checked = Boolean(parameter) && isPositive(ys) && range(ys) >= 50;
    }

    metrics.forEach((metric, index) => ySelect.add(new Option(shorten(metric.title, 60), index)));
    numeric.forEach((parameter, index) => xSelect.add(new Option(shorten(parameter.name, 40), index)));
    xSelect.add(new Option(bars, bars));
    const most = Math.max(...numeric.map(parameter => parameter.values.length));
    xSelect.value = numeric.length ? String(numeric.findIndex(parameter => parameter.values.length === most)) : bars;
    section.hidden = false;
    chooseScales();
    draw();
    for (const select of [xSelect, ySelect]) {
        select.addEventListener("change", () => {
            chooseScales();
            draw();
        });
    }
    for (const box of [logX, logY]) box.addEventListener("change", draw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    matchMedia("(max-width: 40rem)").addEventListener("change", draw);
})();
