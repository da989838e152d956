/** Text in which a semicolon ends no statement: quoted, between dollar tags, or a comment. */
const OPAQUE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//y

const isOnlyComments = (text: string) => text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() === ''

/**
 * Splits SQL into its statements. Citus hands a statement on to other nodes by the text that it came in, so that text must
 * have no other statement.
 */
export const splitStatements = (text: string): string[] => {
  const statements: string[] = []
  let start = 0
  for (let at = 0; at < text.length; ) {
    OPAQUE.lastIndex = at
    const opaque = OPAQUE.exec(text)
    if (opaque) {
      at += opaque[0].length
      continue
    }
    if (text[at] === ';') {
      statements.push(text.slice(start, at))
      start = at + 1
    }
    at++
  }
  return [...statements, text.slice(start)].map((statement) => statement.trim()).filter((one) => !isOnlyComments(one))
}
