import * as z from 'zod/mini'

export interface Option<S extends z.ZodMiniType<unknown, string> = z.ZodMiniType<unknown, string>> {
  /** The placeholder for the value in the help, for example `URL`. */
  value: string
  help: string
  schema: S
  /** `-` reads the value from standard input, so that it does not appear in the process list or shell history. */
  isSecret?: boolean
  isOptional?: boolean
  /** It takes no value. */
  isFlag?: boolean
}

type Options = Record<string, Option>
export type OptionValues<O extends Options> = {
  [K in keyof O]: z.output<O[K]['schema']> | (O[K] extends { isOptional: true } ? undefined : never)
}

/** The schema of a flag. */
export const Flag = z.literal('true')

export interface CommandContext {
  environment: NodeJS.ProcessEnv
  print: (line: string) => void
  printError: (line: string) => void
  /** All of standard input. On a terminal, prompts the user for `what`. */
  readInput: (what: string) => Promise<string>
}

export interface Command {
  /** The words after `dishboard`. */
  name: string
  summary: string
  options: Options
  /** The option that may also be given as a positional argument. */
  operand?: string
  run: (values: never, context: CommandContext) => Promise<number>
}

export const defineCommand = <O extends Options>(
  command: Omit<Command, 'options' | 'operand' | 'run'> & {
    options: O
    operand?: keyof O & string
    run: (values: OptionValues<O>, context: CommandContext) => Promise<number>
  },
): Command => command

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

/** The command cannot run in the current state: exit code 1. */
export class CommandError extends Error {}
