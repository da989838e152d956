import type * as z from 'zod/mini'

export interface Option<S extends z.ZodMiniType<unknown, string> = z.ZodMiniType<unknown, string>> {
  /** What stands for the value in the help, for example `URL`. */
  value: string
  help: string
  schema: S
  /** `-` reads the value from standard input, so that it appears in no list of processes and no shell history. */
  isSecret?: boolean
  isOptional?: boolean
}

type Options = Record<string, Option>
export type ValuesOf<O extends Options> = {
  [K in keyof O]: z.output<O[K]['schema']> | (O[K] extends { isOptional: true } ? undefined : never)
}

/** What a command prints goes to `print`; what it returns is the exit code. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv
  print: (line: string) => void
}

export interface Command {
  /** The words after `dishboard`. */
  name: string
  summary: string
  options: Options
  /** The option that may also be given as the word after the command. */
  operand?: string
  run: (values: never, surroundings: Surroundings) => Promise<number>
}

export const defineCommand = <O extends Options>(
  command: Omit<Command, 'options' | 'operand' | 'run'> & {
    options: O
    operand?: keyof O & string
    run: (values: ValuesOf<O>, surroundings: Surroundings) => Promise<number>
  },
): Command => command

/** The command was not understood; exit code 2. */
export class UsageProblem extends Error {}

/** The command was understood and cannot be done as things stand; exit code 1. */
export class CommandProblem extends Error {}
