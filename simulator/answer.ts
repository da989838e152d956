/** What a handler gives back: a status and the vendor's envelope around its content. */
export type Answer = { status: number; body: string }

export const json = (status: number, value: unknown): Answer => ({ status, body: JSON.stringify(value) })

export const ok = (content?: unknown): Answer =>
  json(200, {
    errors: [],
    warnings: [],
    information: [],
    isValid: true,
    ...(content === undefined ? {} : { content }),
  })

export const fail = (status: number, errorMessage: string, ...memberNames: string[]): Answer =>
  json(status, { errors: [{ memberNames, errorMessage }], warnings: [], information: [], isValid: false })
