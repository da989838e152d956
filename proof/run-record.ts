import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { getBinaries } from '#server/platform/postgres/binaries.ts'
import type { Figure } from './figure.ts'
import type { Form, Proof } from './proof.ts'

/** The record of a run. Those of full runs are part of the repository, and the page of figures is written from them. */
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

const FOLDERS: Record<Form, string> = { full: 'proof/records', short: '.proof' }
const getFile = (name: string, form: Form) => join(FOLDERS[form], `${name}.json`)

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
  mkdirSync(FOLDERS[form], { recursive: true })
  writeFileSync(getFile(name, form), `${JSON.stringify(record, null, 2)}\n`)
}

export const findFullRun = (name: string): RunRecord | undefined => {
  const file = getFile(name, 'full')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
