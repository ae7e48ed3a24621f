import { type Color, drawCoatOfArms, type Painting } from '../draw-coat-of-arms.ts';

const purple: Color = [91, 33, 120];
const silver: Color = [244, 246, 248];
const green: Color = [21, 94, 66];

/** Three flowers of heather on silver, below a purple chief with a wall, above a green heath. */
const paint: Painting = (x, y) => {
  if (y < 0.24) return y > 0.17 && Math.floor(x * 9) % 2 === 0 ? silver : purple;
  if (y > 0.74 - 0.08 * Math.cos((x - 0.5) * 3)) return green;
  const isFlower = [
    [0.3, 0.42],
    [0.7, 0.42],
    [0.5, 0.56],
  ].some(([centerX = 0, centerY = 0]) => {
    const [right, down] = [x - centerX, (y - centerY) * 1.2];
    const angle = Math.atan2(down, right);
    return Math.hypot(right, down) < 0.07 + 0.03 * Math.cos(5 * angle + Math.PI / 2);
  });
  return isFlower ? purple : silver;
};

export const drawMarlowHeathCoatOfArms = () => drawCoatOfArms(paint);
