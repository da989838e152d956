export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity'

/** The first of these that the header `Accept-Encoding` takes; one with `q=0` is refused. */
export const negotiateEncoding = (acceptEncoding: unknown, preference: readonly Encoding[]): Encoding => {
  const accepted = new Map<string, boolean>()
  for (const part of String(acceptEncoding ?? '')
    .toLowerCase()
    .split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    accepted.set(name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
  }
  return preference.find((encoding) => accepted.get(encoding)) ?? 'identity'
}
