/** Logos of municipalities: raster images, checked by their content. */
import { hash } from 'node:crypto';
import { imageSize } from 'image-size';
import { maxLogoSide } from '../../contract/resources/organization.ts';
import { detectImageFormat, type ImageFormat, isAnimated, isCompleteImage } from './image-structure.ts';

export type LogoMediaType = `image/${ImageFormat}`;

export interface NewLogo {
  /** The first 128 bits of the content's SHA-256, hexadecimal. */
  digest: string;
  mediaType: LogoMediaType;
  /** Pixels, as browsers display the image. */
  width: number;
  height: number;
  content: Buffer;
}

export const maxLogoBytes = 262_144;

/** For messages: a round number below the limit. */
export const roundMaxLogoKilobytes = 250;

export type LogoProblem = 'tooLarge' | 'notAnImage' | 'damaged' | 'animated' | 'tooManyPixels';

/** Neither the name of the file nor a declared type counts. */
export function parseLogo(content: Buffer): NewLogo | LogoProblem {
  if (content.length > maxLogoBytes) return 'tooLarge';
  const format = detectImageFormat(content);
  if (format === undefined) return 'notAnImage';
  if (!isCompleteImage(format, content)) return 'damaged';
  if (isAnimated(format, content)) return 'animated';
  const size = readSize(content);
  if (size === undefined) return 'damaged';
  if (Math.max(size.width, size.height) > maxLogoSide) return 'tooManyPixels';
  const digest = hash('sha256', content).slice(0, 32);
  return { digest, mediaType: `image/${format}`, ...size, content };
}

/** Orientations above 4 (EXIF 2.32, section 4.6.4) turn the image by a quarter. */
function readSize(content: Buffer): { width: number; height: number } | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(content);
    if (width === 0 || height === 0) return undefined;
    return orientation > 4 ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
}

/** File name of a logo in its URL. */
const logoFilePattern = /^([0-9a-f]{32})\.(png|jpeg|webp)$/;

/** @returns undefined for a name that no logo can have */
export function parseLogoFileName(
  fileName: string,
): { digest: string; mediaType: LogoMediaType } | undefined {
  const [, digest, format] = logoFilePattern.exec(fileName) ?? [];
  return digest === undefined ? undefined : { digest, mediaType: `image/${format as ImageFormat}` };
}
