/** The result of a handler: a status and the vendor's envelope around the content. */
export type ApiResponse = { status: number; body: string }

export const json = (status: number, value: unknown): ApiResponse => ({ status, body: JSON.stringify(value) })

export const ok = (content?: unknown): ApiResponse =>
  json(200, {
    errors: [],
    warnings: [],
    information: [],
    isValid: true,
    ...(content === undefined ? {} : { content }),
  })

export const fail = (status: number, errorMessage: string, ...memberNames: string[]): ApiResponse =>
  json(status, { errors: [{ memberNames, errorMessage }], warnings: [], information: [], isValid: false })
