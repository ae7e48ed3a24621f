// Draws the cells of a map. Without this script, the page shows the same data as lists.

for (const figure of document.querySelectorAll('[data-map]')) {
  const box = figure.querySelector('.map');
  const formatter = new Intl.NumberFormat(document.documentElement.lang);

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
    const minSize = cells.length > 200 ? 6 : cells.length > 50 ? 10 : 34;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const map = L.map(box, {
      attributionControl: false,
      zoomControl: false,
      scrollWheelZoom: false,
      zoomAnimation: !isStill,
      fadeAnimation: !isStill,
      inertia: !isStill,
      maxZoom: 19,
      // Tiles exist for whole zooms.
      zoomSnap: figure.dataset.tiles ? 1 : 0.25,
    });
    L.control.zoom({ zoomInTitle: box.dataset.zoomIn, zoomOutTitle: box.dataset.zoomOut }).addTo(map);
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
    const [pointX, pointY] = figure.dataset.point.split(',').map(Number);
    const isMarked = ({ west, south, east, north }) =>
      pointX >= west && pointX <= east && pointY >= south && pointY <= north;
    const toBounds = ({ west, south, east, north, shift }) =>
      L.latLngBounds([south, west + shift], [north, east + shift]);
    const enlarge = (bounds) => {
      const [low, high] = [map.project(bounds.getSouthWest()), map.project(bounds.getNorthEast())];
      const missing = L.point(
        Math.max(0, minSize - (high.x - low.x)) / 2,
        Math.max(0, minSize - (low.y - high.y)) / 2,
      );
      return L.latLngBounds(
        map.unproject([low.x - missing.x, low.y + missing.y]),
        map.unproject([high.x + missing.x, high.y - missing.y]),
      );
    };

    map.fitBounds(
      areas.reduce((all, area) => all.extend(toBounds(area)), L.latLngBounds([])),
      // The controls of zooming are 58 pixels wide.
      { maxZoom: 17, padding: [64, 16] },
    );
    const rectangles = areas.map((area) => {
      const shade = area.count === 1 ? 0 : Math.min(3, String(area.count).length);
      const mark = isMarked(area) ? ' map-area--marked' : '';
      const className = `map-area map-area--${shade}${mark}`;
      const rectangle = L.rectangle(enlarge(toBounds(area)), { className });
      rectangle.bindTooltip(describe(area.count), { sticky: true });
      rectangle.bindPopup(() => describeArea(area), { closeButton: false });
      rectangle.on('popupopen', () => rectangle.closeTooltip());
      return rectangle.addTo(map);
    });
    for (const [index, area] of areas.entries()) if (isMarked(area)) rectangles[index].bringToFront();

    const numbers = L.layerGroup().addTo(map);
    /** The numbers that fit into their areas beside each other, those of the largest counts first. */
    const writeNumbers = () => {
      numbers.clearLayers();
      const written = [];
      for (const [index, { count }] of areas.entries()) {
        const bounds = rectangles[index].getBounds();
        const text = formatter.format(count);
        const size = L.point(8 * text.length + 8, 20);
        const drawn = map.project(bounds.getSouthEast()).subtract(map.project(bounds.getNorthWest()));
        if (drawn.x < size.x || drawn.y < size.y) continue;
        const center = map.project(bounds.getCenter());
        const box = L.bounds(center.subtract(size.divideBy(2)), center.add(size.divideBy(2)));
        if (written.some((other) => other.overlaps(box))) continue;
        written.push(box);
        const icon = L.divIcon({ className: 'map-count', html: text, iconSize: size });
        L.marker(bounds.getCenter(), { icon, interactive: false, keyboard: false }).addTo(numbers);
      }
    };
    writeNumbers();
    map.on('zoomend', () => {
      for (const [index, rectangle] of rectangles.entries())
        rectangle.setBounds(enlarge(toBounds(areas[index])));
      writeNumbers();
    });
  };

  fetch(figure.dataset.map)
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error(response.statusText))))
    .then((data) => {
      figure.hidden = false;
      draw(data);
    })
    .catch(() => {
      figure.hidden = true;
    });
}
