import type { PersonalData } from '#contract/personal-data.ts'
import { saveFile } from '../ui/save-file.ts'

/** Saves what is stored about a user as one JSON file. */
export function savePersonalData(data: PersonalData) {
  const content = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
  saveFile(content, `${data.user}-${data.exportedAt.toISOString().slice(0, 10)}.json`)
}
