import { type Color, drawCoatOfArms, type Painting } from '../draw-coat-of-arms.ts';

const gold: Color = [250, 204, 60];
const green: Color = [22, 101, 52];
const silver: Color = [244, 246, 248];
const blue: Color = [29, 78, 156];

/** A green linden on gold, above silver waves on blue. */
const paint: Painting = (x, y) => {
  const shore = 0.66 + 0.018 * Math.sin(x * 6 * Math.PI);
  if (y > shore) return Math.floor((y - shore) / 0.07) % 2 === 0 ? blue : silver;
  const isInCircle = (centerX: number, centerY: number, radius: number) =>
    Math.hypot(x - centerX, (y - centerY) * 1.2) < radius;
  const isCrown = isInCircle(0.5, 0.24, 0.17) || isInCircle(0.36, 0.35, 0.15) || isInCircle(0.64, 0.35, 0.15);
  const isTrunk = y > 0.35 && Math.abs(x - 0.5) < 0.03 + Math.max(0, y - 0.55) * 0.5;
  return isCrown || isTrunk ? green : gold;
};

export const drawLindenauCoatOfArms = () => drawCoatOfArms(paint);
