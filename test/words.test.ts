/** Code, tests and documents use the terms of docs/glossary.md, and none of the words that it replaces. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** Words that leave open who acts or when, and names that were replaced by the field's terms. */
const refused = /\b(whoever|whomever|whosoever|somebody|anew|heed(?:s|ed|ing)?|told|at\s+once|deeds?|wish(?:es|ed)?|furniture)\b/i

/** Texts with a word that they need: this list of words, the glossary's second column, generated pages. */
const exempt = new Set(['test/words.test.ts', 'docs/glossary.md', 'docs/quirks.md'])

const isRead = (file: string): boolean => !exempt.has(file) && !file.startsWith('test/golden/')

/** A line as words: names in camel case and with underscores taken apart. */
const wordsOf = (line: string): string => line.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ')

/** The refused words of a text, each with the number of its line. Two words may stand on both sides of the end of a line of a comment. */
function refusedIn(text: string): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const next = (lines[index + 1] ?? '').replace(/^\s*(?:\*|\/\/|-)?\s*/, '')
    const own = refused.exec(wordsOf(line))
    const both = /\bat$/i.test(line) && /^once\b/i.test(next)
    return own || both ? [`${index + 1}: ${own?.[0] ?? 'at once'}`] : []
  })
}

test('no file uses a word that the glossary replaces', async () => {
  const files = globSync(['{src,test,bench,torture,mutate,docs}/**/*.{ts,mjs,py,md,html,css}', '*.md'], { cwd: root }).filter(isRead)
  assert.ok(files.length > 1_000, 'the files were not listed')
  const found = await Promise.all(
    files.map(async file => refusedIn(await readFile(join(root, file), 'utf8')).map(line => `${file}:${line}`)),
  )
  assert.deepEqual(found.flat(), [], 'you are here because of these words: docs/glossary.md has the terms to use')
})
