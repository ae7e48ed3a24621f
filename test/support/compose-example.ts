/** The files of packaging/container, and the services of its compose example. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkout } from './checkout.ts';

export const containerFolder = join(checkout, 'packaging/container');

export const readContainerFile = (name: string) => readFileSync(join(containerFolder, name), 'utf8');

export interface Service {
  image: string;
  /** Default: the instruction CMD of the image. */
  command?: string[];
  environment: Record<string, string>;
  profiles?: string[];
  secrets?: string[];
  volumes?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  logging?: { options?: Record<string, string> };
}

export const compose = parse(readContainerFile('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};

export const isOfRostra = ({ image }: Service) => image.startsWith('localhost/rostra:');

/** @returns the arguments of every instruction of the Containerfile with this name */
export const listInstructions = (name: string) =>
  [...readContainerFile('Containerfile').matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(
    ([, text = '']) => text,
  );
