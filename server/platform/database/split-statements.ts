/** Text in which a semicolon does not end a statement: quoted, dollar-quoted, or a comment. */
const OPAQUE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//y

const isOnlyComments = (text: string) => text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() === ''

/**
 * Splits SQL into statements. Citus forwards a statement to other nodes as the text it arrived in, so that text must
 * contain only one statement.
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
