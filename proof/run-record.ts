import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { getBinaries } from '#server/platform/postgres/binaries.ts'
import type { Figure } from './figure.ts'
import type { Form, Proof } from './proof.ts'

/** The record of a run. Each form has its own file, so that a short run does not replace a full one. */
export interface RunRecord {
  name: string
  about: string
  form: Form
  date: string
  seconds: number
  /** Steal time as a share of the processor time that the run requested; undefined if unknown. */
  stolenPercent?: number | undefined
  machine: { cores: number; processor: string; memoryGb: number; node: string; postgres: string }
  figures: Figure[]
}

const FOLDER = '.proof'
const getFile = (name: string, form: Form) => join(FOLDER, form === 'full' ? `${name}.json` : `${name}-short.json`)

const describeMachine = () => ({
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
  postgres: execFileSync(getBinaries().postgres, ['--version'], { encoding: 'utf8' }).replace(/[^\d.]+/g, ''),
})

export const removeRecord = (name: string, form: Form) => rmSync(getFile(name, form), { force: true })

interface Run {
  startedAt: Date
  stolenPercent: number | undefined
  figures: Figure[]
}

export const writeRecord = ({ name, about }: Proof, form: Form, { startedAt, stolenPercent, figures }: Run) => {
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000)
  const record: RunRecord = {
    name,
    about,
    form,
    date: startedAt.toISOString(),
    seconds,
    stolenPercent,
    machine: describeMachine(),
    figures,
  }
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(getFile(name, form), `${JSON.stringify(record, null, 2)}\n`)
}

/** The full run if there is one. */
export const findRecord = (name: string): RunRecord | undefined => {
  const file = [getFile(name, 'full'), getFile(name, 'short')].find((path) => existsSync(path))
  return file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'))
}
