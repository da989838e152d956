import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { splitStatements } from './split-statements.ts'

const folder = new URL('../../migrations/', import.meta.url)

test('semicolons in quotes, dollar tags and comments end no statement', () => {
  const statements = [
    "insert into a values ('one; it''s two')",
    'alter table "odd; ""name""" add column b text',
    'do $$ begin perform 1; perform $x$;$x$; end $$',
    '-- A comment; of the next statement.\nselect 1 /* no; end */ + 1',
    'select $tag$ $$; $tag$',
  ]
  expect(splitStatements(`${statements.join(';\n')};\n-- The end; really.\n`)).toEqual(statements)
  expect(splitStatements('select 1; select 2')).toEqual(['select 1', 'select 2'])
})

/** The first migration that a distributed database may still lack: it adds what distribution requires. */
const FIRST_ON_CITUS = '0220'

const DISTRIBUTED = /^\s*(?:--[^\n]*\n\s*)*alter\s+table\s+(?:only\s+)?(?:samples|tier_\w+|%I|%s)\b/i

/** Finds what Citus refuses on a distributed table, in a migration's statements and in the SQL strings that they execute. */
const findRefused = (sql: string) => {
  const statements = splitStatements(sql)
  const executed = [...sql.matchAll(/'((?:[^']|'')*)'|\$(\w+)\$([\s\S]*?)\$\2\$/g)].map(
    ([, quoted, , tagged]) => quoted ?? tagged ?? '',
  )
  return [...statements, ...executed]
    .filter((text) => DISTRIBUTED.test(text))
    .flatMap((text) => {
      let flat = text
      // Commas between parentheses separate columns, not subcommands.
      for (let before = ''; before !== flat; ) {
        before = flat
        flat = flat.replaceAll(/\([^()]*\)/g, '')
      }
      const reasons = [
        /\badd\s+(?:constraint|primary|unique|foreign|check)\b/i.test(flat) &&
          flat.includes(',') &&
          'a constraint beside other subcommands',
        /\breferences\b/i.test(text) && 'a foreign key',
        /\bas\s+identity\b/i.test(text) && 'an identity column',
      ]
      return reasons.filter((reason) => reason !== false)
    })
}

describe('migrations that may run on a distributed database', () => {
  test('contain nothing that Citus refuses for the tables of samples', async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name >= FIRST_ON_CITUS)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(findRefused(await readFile(new URL(name, folder), 'utf8')), name).toEqual([])
  })

  test('the check finds what it looks for', async () => {
    const older = await readFile(new URL('0034_chart_points.sql', folder), 'utf8')
    expect(findRefused(older)).toEqual(['a constraint beside other subcommands'])
    expect(findRefused('alter table samples add column a text references tenants (id);')).toEqual(['a foreign key'])
    expect(findRefused('alter table tier_1h add column i bigint generated always as identity')).toEqual([
      'an identity column',
    ])
    expect(findRefused('alter table users add column a text, add primary key (a);')).toEqual([])
    expect(findRefused('alter table samples add column a real; alter table samples add check (a in (1, 2))')).toEqual(
      [],
    )
  })
})
