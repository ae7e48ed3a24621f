// Draws the cells of a map. Without this script, the page shows the same data as lists.

for (const figure of document.querySelectorAll('[data-map]')) {
  const box = figure.querySelector('.map');
  const { lang } = document.documentElement;
  const formatter = new Intl.NumberFormat(lang);
  const shortFormatter = new Intl.NumberFormat(lang, { notation: 'compact' });

  const describe = (count) =>
    count === 1 ? box.dataset.one : box.dataset.several.replace('#', formatter.format(count));

  const describeArea = ({ west, south, east, north, count }) => {
    const link = document.createElement('a');
    link.className = 'kern-link';
    // The numbers are sums.
    const bounds = [west, south, east, north].map((degrees) => Number(degrees.toFixed(6)));
    link.href = figure.dataset.areas.replace('area=', `area=${bounds.join(',')}`);
    link.textContent = box.dataset.show;
    const content = document.createElement('div');
    content.append(describe(count), document.createElement('br'), link);
    return content;
  };

  const draw = ({ cellSize, cells }) => {
    /** In pixels: a smaller area is drawn larger, and less so if many would cover each other. */
    const minSize = Math.min(34, Math.max(4, 400 / cells.length));
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
    const position = isNarrow ? 'bottomright' : 'topleft';
    const { zoomIn, zoomOut } = box.dataset;
    L.control.zoom({ position, zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map);
    L.control.scale({ imperial: false }).addTo(map);
    if (figure.dataset.tiles)
      L.tileLayer(figure.dataset.tiles, { maxZoom: 19, referrerPolicy: 'origin' }).addTo(map);
    // The wheel scrolls the page until somebody uses the map.
    map.on('focus', () => map.scrollWheelZoom.enable());
    map.on('blur', () => map.scrollWheelZoom.disable());

    const longitudes = cells.map(([west]) => west);
    // Cells on both sides of the 180th meridian are drawn beside each other.
    const isDivided = Math.max(...longitudes) - Math.min(...longitudes) > 180;
    const areas = cells.map(([west, south, count]) => ({
      count,
      west,
      south,
      east: west + cellSize,
      north: south + cellSize,
      shift: isDivided && west < 0 ? 360 : 0,
    }));
    const [markX, markY] = figure.dataset.mark.split(',').map(Number);
    const isMarked = ({ west, south, east, north }) =>
      markX >= west && markX <= east && markY >= south && markY <= north;
    const toBounds = ({ west, south, east, north, shift }) =>
      L.latLngBounds([south, west + shift], [north, east + shift]);
    /** In pixels. */
    const getSize = (bounds) =>
      map.project(bounds.getSouthEast()).subtract(map.project(bounds.getNorthWest()));
    const enlarge = (bounds) => {
      const [low, high] = [map.project(bounds.getSouthWest()), map.project(bounds.getNorthEast())];
      const { x, y } = getSize(bounds);
      const missing = L.point(Math.max(0, minSize - x) / 2, Math.max(0, minSize - y) / 2);
      return L.latLngBounds(
        map.unproject([low.x - missing.x, low.y + missing.y]),
        map.unproject([high.x + missing.x, high.y - missing.y]),
      );
    };

    const fit = (isShown) =>
      map.fitBounds(
        areas.filter(isShown).reduce((all, area) => all.extend(toBounds(area)), L.latLngBounds([])),
        // Beside the controls.
        { maxZoom: 17, paddingTopLeft: [isNarrow ? 8 : 66, 8], paddingBottomRight: [8, isNarrow ? 60 : 32] },
      );
    const [west, south, east, north] = figure.dataset.view.split(',').map(Number);
    fit((area) => {
      const [x, y] = [area.west + cellSize / 2, area.south + cellSize / 2];
      return isDivided || (x >= west && x <= east && y >= south && y <= north);
    });
    figure.querySelector('.map-far button')?.addEventListener('click', () => {
      fit(() => true);
    });
    const rectangles = areas.map((area) => {
      const shade = area.count === 1 ? 0 : Math.min(3, String(area.count).length);
      const mark = isMarked(area) ? ' map-area--marked' : '';
      const className = `map-area map-area--${shade}${mark}`;
      return L.rectangle(enlarge(toBounds(area)), { className, area });
    });
    const group = L.featureGroup(rectangles).addTo(map);
    for (const [index, area] of areas.entries()) if (isMarked(area)) rectangles[index].bringToFront();
    group.bindPopup((rectangle) => describeArea(rectangle.options.area), { closeButton: false });
    // With a tooltip that Leaflet binds, each rectangle listens to the focus, so that browsers make it a stop of the Tab key.
    const tooltip = L.tooltip();
    group.on('mouseover mousemove', ({ layer, latlng }) => {
      if (!group.isPopupOpen())
        tooltip.setContent(describe(layer.options.area.count)).setLatLng(latlng).openOn(map);
    });
    group.on('mouseout popupopen', () => tooltip.close());

    const numbers = L.layerGroup().addTo(map);
    /** The numbers that fit into their areas, or cover no other number, those of the largest counts first. */
    const writeNumbers = () => {
      numbers.clearLayers();
      const written = [];
      for (const [index, { count }] of areas.entries()) {
        const bounds = rectangles[index].getBounds();
        const drawn = getSize(bounds);
        const measure = (text) => L.point(7.5 * text.length + 2, 18);
        const full = formatter.format(count);
        const text = measure(full).x > drawn.x ? shortFormatter.format(count) : full;
        const size = measure(text);
        if (2 * drawn.x < size.x || drawn.y < size.y) continue;
        const center = map.project(bounds.getCenter());
        const box = L.bounds(center.subtract(size.divideBy(2)), center.add(size.divideBy(2)));
        if (written.some((other) => other.overlaps(box))) continue;
        written.push(box);
        const icon = L.divIcon({ className: 'map-count', html: text, iconSize: size });
        L.marker(bounds.getCenter(), { icon, interactive: false, keyboard: false }).addTo(numbers);
      }
    };
    const redraw = () => {
      for (const [index, rectangle] of rectangles.entries())
        rectangle.setBounds(enlarge(toBounds(areas[index])));
      box.classList.toggle('map--fine', getSize(rectangles[0].getBounds()).x < 12);
      writeNumbers();
    };
    redraw();
    map.on('zoomend', redraw);
  };

  fetch(figure.dataset.map)
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error(response.statusText))))
    .then((data) => {
      figure.hidden = false;
      draw(data);
      if (location.hash === `#${figure.parentElement.id}`) figure.scrollIntoView();
    })
    .catch(() => {
      figure.hidden = true;
    });
}
