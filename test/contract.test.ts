/** What code, tests and documents cite of the contract is in docs/contract. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const contract = join(root, 'docs/contract')

const page = (name: string): Promise<string> => readFile(join(contract, name), 'utf8')
const documents = { 1: await page('conventions.md'), 2: await page('ci.md'), 3: await page('planning.md') } as const
const decisions = numbersIn(await page('decisions.md'), /^(\d+)\. /gm)
const clients = await page('clients.md')
const habits = new Set([...numbersIn(clients, /^(\d+)\. /gm)].map(number => `0.${number}`).concat(wordsIn(clients, /\*\*(b\.\d)\*\*/g)))
const runners = new Set(wordsIn(await page('runners.md'), /^## (c\.\d) /gm))

function wordsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, word]) => word as string)
}

function numbersIn(text: string, pattern: RegExp): Set<number> {
  return new Set(wordsIn(text, pattern).map(Number))
}

/** What a text cites that the contract does not hold. */
function unresolved(text: string): string[] {
  // Citations go over the ends of lines.
  const flat = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')
  const missing: string[] = []
  for (const [cited, numbers] of flat.matchAll(/\bdecisions? (\d+(?:(?:,| and| to| or) \d+)*)/gi))
    for (const [number] of (numbers as string).matchAll(/\d+/g)) if (!decisions.has(Number(number))) missing.push(`${cited}: ${number}`)
  for (const [cited, number, heading, name] of flat.matchAll(/\bdocument (\d),? ?(?:"([^"]+)"|`([^`]+)`)?/gi)) {
    const document = documents[Number(number) as keyof typeof documents]
    if (document === undefined) missing.push(cited)
    else if (heading && !document.includes(`\n## ${heading}\n`) && !document.includes(`\`${heading}\``)) missing.push(cited)
    else if (name && !document.includes(name)) missing.push(cited)
  }
  for (const [cited, place] of flat.matchAll(/\bclients\.md (\w\.\d+)/g)) if (!habits.has(place as string)) missing.push(cited)
  for (const [cited] of flat.matchAll(/[(;] ?issue "[^"]+"/g)) missing.push(`${cited} is not in the repository`)
  for (const [cited, place] of flat.matchAll(/\((c\.\d)\)/g)) if (!runners.has(place as string)) missing.push(cited)
  return missing
}

test('what is cited of the contract is there', async () => {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts', 'docs/**/*.md', '*.md'], { cwd: root }).filter(
    file => file !== 'test/contract.test.ts',
  )
  const found: string[] = []
  for (const file of files) found.push(...unresolved(await readFile(join(root, file), 'utf8')).map(cited => `${file}: ${cited}`))
  assert.deepEqual(
    found,
    [],
    'you are here because these citations lead nowhere: correct them, or write the page of docs/contract that they mean',
  )
})

test('a citation that leads nowhere is found', () => {
  assert.deepEqual(unresolved('as decision 12 and document 3 "Issue" say (c.3)'), [])
  assert.deepEqual(unresolved('(decisions 12 and 99; document 3 "Nothing"; document 7; clients.md 0.99; issue "Lost")'), [
    'decisions 12 and 99: 99',
    'document 3 "Nothing"',
    'document 7',
    'clients.md 0.99',
    '; issue "Lost" is not in the repository',
  ])
})
