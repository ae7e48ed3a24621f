// Draws the cells of a map. Without this script, the page shows the same data as lists.

/** Width of an area in pixels, at least: smaller ones are joined, so that a finger can choose one (WCAG 2.5.8) and its number fits. */
const minSize = 24;
/** Of cells in a row of an area. */
const maxFactor = 2 ** 26;

for (const figure of document.querySelectorAll('[data-map]')) {
  const box = figure.querySelector('.map');
  const { lang } = document.documentElement;
  const formatter = new Intl.NumberFormat(lang);
  const shortFormatter = new Intl.NumberFormat(lang, { notation: 'compact' });

  const describe = (count) =>
    count === 1 ? box.dataset.one : box.dataset.several.replace('#', formatter.format(count));

  /** The link has the bounds of the cells: around them may be others, which the search leaves out. */
  const describeArea = ({ cells, count }) => {
    const link = document.createElement('a');
    link.className = 'kern-link';
    // The numbers are sums.
    const bounds = cells.map((degrees) => Number(degrees.toFixed(6)));
    link.href = figure.dataset.areas.replace('area=', `area=${bounds.join(',')}`);
    link.textContent = box.dataset.show;
    const content = document.createElement('div');
    content.append(describe(count), document.createElement('br'), link);
    return content;
  };

  const draw = ({ cellSize, cells }) => {
    // Beside the map, the buttons would take a fifth of the width of a phone.
    const isNarrow = box.clientWidth < 1.2 * box.clientHeight;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const map = L.map(box, {
      attributionControl: false,
      zoomControl: false,
      scrollWheelZoom: false,
      zoomAnimation: !isStill,
      fadeAnimation: !isStill,
      inertia: !isStill,
      maxZoom: 19,
      // One finger scrolls the page, two move and zoom the map.
      dragging: !matchMedia('(pointer: coarse)').matches,
      // Tiles exist for whole zooms.
      zoomSnap: figure.dataset.tiles ? 1 : 0,
    });
    if (isStill) {
      // The keyboard has no option for it.
      const { panBy } = map;
      map.panBy = (offset, options) => panBy.call(map, offset, { ...options, animate: false });
    }
    // Screen readers have the lists below: numbers without their places say nothing.
    for (const pane of ['overlayPane', 'markerPane']) map.getPane(pane).setAttribute('aria-hidden', 'true');
    const position = isNarrow ? 'bottomright' : 'topleft';
    const { zoomIn, zoomOut, resetView } = box.dataset;
    const zoom = L.control.zoom({ position, zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map);
    const reset = L.DomUtil.create('a', 'map-reset', zoom.getContainer());
    Object.assign(reset, { href: '#', role: 'button', title: resetView, ariaLabel: resetView });
    const sign = L.DomUtil.create('span', '', reset);
    sign.ariaHidden = 'true';
    sign.textContent = '↺';
    L.DomEvent.disableClickPropagation(reset);
    // Leaflet's buttons are links, which know only the Enter key.
    zoom.getContainer().addEventListener('keydown', (event) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      event.target.click();
    });
    L.control.scale({ imperial: false }).addTo(map);
    if (figure.dataset.tiles)
      L.tileLayer(figure.dataset.tiles, { maxZoom: 19, referrerPolicy: 'origin' }).addTo(map);
    // The wheel scrolls the page until somebody uses the map.
    map.on('focus', () => map.scrollWheelZoom.enable());
    map.on('blur', () => map.scrollWheelZoom.disable());

    const [west, south, east, north] = figure.dataset.view.split(',').map(Number);
    // Cells on both sides of the 180th meridian are drawn beside each other.
    const isDivided = east - west > 180;
    /** @param factor cells in a row of an area, a power of two @returns the largest counts first, so that their numbers are written first */
    const joinCells = (factor, chosen = cells) => {
      const joined = new Map();
      for (const [cellWest, cellSouth, count] of chosen) {
        // A cell begins up to half of its size before the multiple of its size.
        const [x, y] = [cellWest, cellSouth].map((edge) => Math.floor(edge / cellSize + 0.75));
        const [column, row] = [Math.floor(x / factor), Math.floor(y / factor)];
        const key = `${column},${row}`;
        const area = joined.get(key) ?? {
          count: 0,
          west: cellWest - (x - column * factor) * cellSize,
          south: cellSouth - (y - row * factor) * cellSize,
          cells: [cellWest, cellSouth, cellWest + cellSize, cellSouth + cellSize],
        };
        area.count += count;
        area.cells = [
          Math.min(area.cells[0], cellWest),
          Math.min(area.cells[1], cellSouth),
          Math.max(area.cells[2], cellWest + cellSize),
          Math.max(area.cells[3], cellSouth + cellSize),
        ];
        joined.set(key, area);
      }
      return [...joined.values()]
        .map((area) => ({
          ...area,
          east: area.west + factor * cellSize,
          north: area.south + factor * cellSize,
          shift: isDivided && area.west < 0 ? 360 : 0,
        }))
        .sort((one, other) => other.count - one.count);
    };
    const [markX, markY] = figure.dataset.mark.split(',').map(Number);
    const isMarked = (area) =>
      markX >= area.west && markX <= area.east && markY >= area.south && markY <= area.north;
    const toBounds = (area) =>
      L.latLngBounds([area.south, area.west + area.shift], [area.north, area.east + area.shift]);
    /** In pixels. */
    const getSize = (bounds) =>
      map.project(bounds.getSouthEast()).subtract(map.project(bounds.getNorthWest()));

    const single = joinCells(1);
    const [first] = single;
    const findFactor = () => {
      let factor = 1;
      while (factor < maxFactor && factor * getSize(toBounds(first)).x < minSize) factor *= 2;
      return factor;
    };
    const fit = (shown) => {
      const fitAreas = (areas) =>
        map.fitBounds(
          areas.reduce((all, area) => all.extend(toBounds(area)), L.latLngBounds([])),
          // Beside the controls.
          {
            maxZoom: 17,
            paddingTopLeft: [isNarrow ? 8 : 66, 8],
            paddingBottomRight: [8, isNarrow ? 60 : 32],
          },
        );
      fitAreas(joinCells(1, shown));
      // Joined, the areas reach farther.
      fitAreas(joinCells(findFactor(), shown));
    };
    // The sums are not exact.
    const isInView = ([x, y]) => x > west - cellSize && x < east && y > south - cellSize && y < north;
    const fitStart = () => fit(isDivided ? cells : cells.filter(isInView));
    fitStart();
    reset.addEventListener('click', (event) => {
      event.preventDefault();
      fitStart();
    });
    // Back and a reload return to the view that was left.
    const left = history.state?.mapView;
    if (left) map.setView(left.center, left.zoom, { animate: false });
    const status = figure.querySelector('[role=status]');
    map.on('moveend', () => {
      const bounds = map.getBounds();
      const count = single
        .filter((area) => bounds.contains(toBounds(area).getCenter()))
        .reduce((sum, area) => sum + area.count, 0);
      status.textContent = `${status.dataset.inView}: ${describe(count)}`;
      const { lat, lng } = map.getCenter();
      // Last, because Safari throws an error after a hundred calls in half a minute.
      history.replaceState({ mapView: { center: [lat, lng], zoom: map.getZoom() } }, '');
    });
    figure.querySelector('.map-far button')?.addEventListener('click', () => {
      fit(cells);
    });

    const group = L.featureGroup().addTo(map);
    group.bindPopup((rectangle) => describeArea(rectangle.options.area), {
      closeButton: false,
      // Beside the content are 44 pixels, and beside the popup 5 each.
      maxWidth: Math.min(300, box.clientWidth - 54),
    });
    // With a tooltip that Leaflet binds, each rectangle listens to the focus, so that browsers make it a stop of the Tab key.
    const tooltip = L.tooltip();
    group.on('mouseover mousemove', ({ layer, latlng }) => {
      if (!group.isPopupOpen())
        tooltip.setContent(describe(layer.options.area.count)).setLatLng(latlng).openOn(map);
    });
    group.on('mouseout popupopen', () => tooltip.close());

    const numbers = L.layerGroup().addTo(map);
    const written = [];
    /** The number of an area, if it fits, or covers no other number. */
    const writeNumber = (bounds, count) => {
      const drawn = getSize(bounds);
      const measure = (text) => L.point(7.5 * text.length + 2, 18);
      const full = formatter.format(count);
      const text = measure(full).x > drawn.x ? shortFormatter.format(count) : full;
      const size = measure(text);
      if (2 * drawn.x < size.x || drawn.y < size.y) return;
      const center = map.project(bounds.getNorthWest()).add(drawn.divideBy(2));
      const place = L.bounds(center.subtract(size.divideBy(2)), center.add(size.divideBy(2)));
      if (written.some((other) => other.overlaps(place))) return;
      written.push(place);
      const icon = L.divIcon({ className: 'map-count', html: text, iconSize: size });
      L.marker(map.unproject(center), { icon, interactive: false, keyboard: false }).addTo(numbers);
    };
    let drawnFactor = 0;
    const drawAreas = () => {
      const factor = findFactor();
      if (factor !== drawnFactor) {
        // It describes an area that is no longer drawn.
        group.closePopup();
        group.clearLayers();
        for (const area of joinCells(factor)) {
          const shade = area.count === 1 ? 0 : Math.min(3, String(area.count).length);
          const mark = isMarked(area) ? ' map-area--marked' : '';
          const className = `map-area map-area--${shade}${mark}`;
          L.rectangle(toBounds(area), { className, area }).addTo(group);
        }
        group.eachLayer((rectangle) => isMarked(rectangle.options.area) && rectangle.bringToFront());
        drawnFactor = factor;
      }
      numbers.clearLayers();
      written.length = 0;
      group.eachLayer((rectangle) => writeNumber(rectangle.getBounds(), rectangle.options.area.count));
    };
    drawAreas();
    map.on('zoomend', drawAreas);
  };

  // Its height is there before the data.
  figure.hidden = false;
  fetch(figure.dataset.map)
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error(response.statusText))))
    .then(draw)
    .catch(() => {
      figure.hidden = true;
      figure.parentElement.querySelector('.map-failure').hidden = false;
    });
}
