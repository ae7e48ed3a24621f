import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addUndoCommand } from './undo-import.ts';

export function addSourceCommands(program: Command, context: CommandContext): void {
  const source = program.command('source').description('Manages the sources of imports');
  addUndoCommand(source, context);
}
