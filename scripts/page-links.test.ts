import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './prepare.mjs'
import { listRepositoryFiles } from './repository-files.mjs'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

const paths = ['web/src/routes.tsx', 'web/src/admin-routes.ts'].flatMap((file) =>
  [...read(file).matchAll(/path: '(\/[a-z-]+)/g)].map(([, path]) => path),
)

/** The links in mails and webhooks, without what follows the first part of their paths. */
const links = listRepositoryFiles(root)
  .filter((file: string) => /^server\/.*(?<!\.test)\.ts$/.test(file))
  .flatMap((file: string) => [...read(file).matchAll(/\bpages\}(\/[a-z-]+)/g)].map(([, link]) => `${file} ${link}`))

test('the server links to pages', () => expect(links.length).toBeGreaterThan(5))

test.each(links)('the page of %s exists', (link) => {
  expect(paths).toContain(link.split(' ')[1])
})
