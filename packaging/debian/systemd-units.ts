/** The service, and timers for the commands that an operator runs regularly. None is enabled by the installation. */

const program = '/usr/lib/rostra/rostra';

/**
 * Restricts what a defect in Rostra or in a file that it reads could do. `MemoryDenyWriteExecute` is missing, because
 * V8 compiles to memory. `@resources` stays, because imports lower their own priority.
 */
const sandbox = `User=rostra
Group=rostra
Environment=ROSTRA_CONFIG=/etc/rostra/rostra.conf
StateDirectory=rostra rostra/backups
StateDirectoryMode=0750
WorkingDirectory=/var/lib/rostra
UMask=0077
CapabilityBoundingSet=
NoNewPrivileges=yes
PrivateDevices=yes
PrivateMounts=yes
PrivateTmp=yes
PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
LockPersonality=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged`;

const service = `[Unit]
Description=Rostra, read-only API for data of municipalities
Documentation=man:rostra(1) man:rostra.conf(5)
Wants=network-online.target
After=network-online.target postgresql.service
# However often the service fails, systemd starts it again.
StartLimitIntervalSec=0

[Service]
Type=notify
# Node.js cannot write to the socket of systemd, so Rostra starts systemd-notify.
NotifyAccess=all
ExecStart=${program} serve
# Replaces the workers one by one. Fails if a setting is invalid, and if ROSTRA_WORKERS is 1.
ExecReload=${program} serve --reload $MAINPID
# An update of the schema may take long.
TimeoutStartSec=infinity
KillMode=mixed
Restart=on-failure
RestartSec=1
# The configuration is invalid.
RestartPreventExitStatus=2
${sandbox}

[Install]
WantedBy=multi-user.target
`;

interface ScheduledCommand {
  /** The name of the unit after `rostra-`. */
  name: string;
  description: string;
  command: string;
  /** systemd.time(7) */
  schedule: string;
  maxDelay: string;
  /** Exit codes that are not failures, besides 0. */
  successCodes?: number;
}

export const scheduledCommands: readonly ScheduledCommand[] = [
  {
    name: 'backup',
    description: 'Backup of the SQLite database of Rostra',
    command: 'backup /var/lib/rostra/backups --keep 14',
    schedule: '*-*-* 02:00',
    maxDelay: '30min',
  },
  {
    name: 'drill',
    description: 'Test that a backup of Rostra can be restored',
    command: 'drill',
    schedule: 'Sun *-*-* 04:00',
    maxDelay: '30min',
  },
  {
    name: 'prune',
    description: 'Removal of old records of Rostra',
    command: 'prune',
    schedule: '*-*-* 03:00',
    maxDelay: '30min',
  },
  {
    name: 'sources',
    description: 'Import of the sources of Rostra that are due',
    command: 'source run --due',
    schedule: '*:0/5',
    maxDelay: '30s',
    // Some records were rejected.
    successCodes: 3,
  },
];

const createTask = ({ description, command, successCodes }: ScheduledCommand) => `[Unit]
Description=${description}
Documentation=man:rostra(1)
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
Type=oneshot
# A command that hangs would keep the timer from starting it again.
TimeoutStartSec=6h
ExecStart=${program} ${command}
${successCodes === undefined ? '' : `SuccessExitStatus=${successCodes}\n`}Nice=10
${sandbox}
`;

const createTimer = ({ description, schedule, maxDelay }: ScheduledCommand) => `[Unit]
Description=${description}, regularly
Documentation=man:rostra(1)

[Timer]
OnCalendar=${schedule}
RandomizedDelaySec=${maxDelay}
Persistent=yes

[Install]
WantedBy=timers.target
`;

/** @returns the text of each unit by its file name */
export const createSystemdUnits = (): Record<string, string> => ({
  'rostra.service': service,
  ...Object.fromEntries(
    scheduledCommands.flatMap((each) => [
      [`rostra-${each.name}.service`, createTask(each)],
      [`rostra-${each.name}.timer`, createTimer(each)],
    ]),
  ),
});
