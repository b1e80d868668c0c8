import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { languages } from '../../access/preferences.ts'
import { type Entry, type Key, nouns, translated } from './catalogue.ts'
import { en } from './en.ts'
import { catalogues, wordsFor } from './words.ts'

const entriesOf = (texts: Readonly<Record<string, Entry>>) => Object.entries(texts)
const formsOf = (entry: Entry): Readonly<Record<string, string>> => (typeof entry === 'string' ? { other: entry } : entry)
const placeholders = (text: string) => [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name as string)

/** A text that a mail shows in each language. */
const inAll = (says: (words: ReturnType<typeof wordsFor>) => string, timeZone = 'UTC') =>
  languages.map(language => says(wordsFor({ language, timeZone })))

test('each catalogue has the texts of the English one, each with the same placeholders', () => {
  const named = (entry: Entry) => [...new Set(Object.values(formsOf(entry)).flatMap(placeholders))].map(name => name.split(':')[0]).sort()
  for (const language of languages) {
    const { texts } = catalogues[language]
    assert.deepEqual(Object.keys(texts), Object.keys(en.texts), `${language} has the texts in the order of the English ones`)
    for (const [key, entry] of entriesOf(texts))
      assert.deepEqual(new Set(named(entry)), new Set(named(en.texts[key as Key])), `${language} ${key}`)
  }
})

test('a text that depends on a number has a form for each plural category of its language', () => {
  for (const language of languages) {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const [key, entry] of entriesOf(catalogues[language].texts)) {
      if (typeof entry === 'string') continue
      const isSame = new Set(Object.values(entry)).size === 1
      if (!isSame) assert.deepEqual(Object.keys(entry).sort(), [...categories].sort(), `${language} ${key}`)
    }
  }
})

test('each form of a noun that a text asks for is there for all nouns', () => {
  for (const language of languages) {
    const { texts, nouns: known } = catalogues[language]
    assert.deepEqual(Object.keys(known).sort(), [...nouns].sort())
    const forms = new Set(
      entriesOf(texts).flatMap(([, entry]) =>
        Object.values(formsOf(entry))
          .flatMap(placeholders)
          .flatMap(name => (name.startsWith('what') ? [name.split(':')[1] ?? 'bare'] : [])),
      ),
    )
    for (const noun of nouns) for (const form of forms) assert.ok(known[noun][form], `${language} has no ${form} of ${noun}`)
    const unused = Object.keys(known.issue).filter(form => form !== 'bare' && !forms.has(form))
    assert.deepEqual(unused, [], `forms of ${language} that no text asks for`)
  }
})

test('each text is said somewhere', async () => {
  const root = join(import.meta.dirname, '../../..')
  const files = (await readdir(root, { recursive: true })).filter(
    path => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/mail\/words\/(de|en|fr)\.ts$/.test(path),
  )
  const sources = (await Promise.all(files.map(path => readFile(join(root, path), 'utf8')))).join('\n')
  const literal = new Set([...sources.matchAll(/'([a-z_]+\.[a-z_\d]+)'/g)].map(([, key]) => key))
  // `expiring.${what}_subject`
  const made = [...sources.matchAll(/`((?:[a-z_.]|\$\{[^{}]*\})*)`/g)]
    .flatMap(([, text = '']) => (/\$\{/.test(text) && /\.\$|_unnamed$/.test(text) ? [text] : []))
    .map(text => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll(/\$\{[^{}]*\}/g, '[a-z_.\\d]+')}$`))

  const unsaid = Object.keys(en.texts).filter(key => !literal.has(key) && !made.some(pattern => pattern.test(key)))

  assert.deepEqual(unsaid, [], 'remove these texts from all catalogues')
})

test('numbers, days, times and lists are as the language of the reader has them', () => {
  const at = new Date('2026-07-05T22:30:00Z')
  assert.deepEqual(
    inAll(words => words.time(at), 'Europe/Berlin'),
    ['6 July 2026 at 00:30 CEST', '6. Juli 2026 um 00:30 MESZ', '6 juillet 2026 à 00:30 UTC+2'],
  )
  assert.deepEqual(
    inAll(words => words.day('2026-07-05'), 'Pacific/Kiritimati'),
    ['5 July 2026', '5. Juli 2026', '5 juillet 2026'],
  )
  assert.deepEqual(
    inAll(words => words.list(['Ada', 'Bo', 'Cy'])),
    ['Ada, Bo and Cy', 'Ada, Bo und Cy', 'Ada, Bo et Cy'],
  )
  assert.deepEqual(
    inAll(words => [0, 1, 1234].map(count => words.say('digest.subject', { count })).join(' / ')),
    [
      '0 notifications / 1 notification / 1,234 notifications',
      '0 Benachrichtigungen / 1 Benachrichtigung / 1.234 Benachrichtigungen',
      '0 notification / 1 notification / 1\u202f234 notifications',
    ],
  )
  assert.deepEqual(
    inAll(words => `${words.role(30)} ${words.role(7)}`),
    ['Developer 7', 'Entwickler 7', 'Développeur 7'],
  )
})

test('a value that looks like a placeholder, or like markup, stays as it is', () => {
  for (const hostile of ['{name}', '{what:le}', '{reference} {constructor}', '$& $1 $`', '<b>"&amp;"</b>', '%{NOTE_TEXT}']) {
    const about = { name: hostile, what: 'issue', reference: '#1', title: hostile } as const
    for (const text of inAll(({ say }) => say('item.opened', about))) assert.equal(text.split(hostile).length, 3, text)
  }
})

test('what lacks a text, a placeholder or a value does not compile', () => {
  const { say } = wordsFor({ language: 'en', timeZone: 'UTC' })
  const wrong = () => {
    // @ts-expect-error there is no such text
    say('item.polished')
    // @ts-expect-error it has placeholders
    say('item.closed')
    // @ts-expect-error `reference` is missing
    say('item.closed', { name: 'Ada', what: 'issue' })
    // @ts-expect-error it is a number
    say('digest.subject', { count: '2' })
    // @ts-expect-error it is no noun
    say('place.view', { what: 'lamp' })
    const { 'item.closed': _, ...rest } = catalogues.de.texts
    // @ts-expect-error a text is missing
    translated({ nouns: en.nouns, texts: rest })
    // @ts-expect-error a placeholder is missing
    translated({ nouns: en.nouns, texts: { ...en.texts, 'item.closed': '{name} hat {what} geschlossen.' } })
    // @ts-expect-error a placeholder is unknown
    translated({ nouns: en.nouns, texts: { ...en.texts, 'item.view': '{name} ansehen' } })
  }
  assert.equal(typeof wrong, 'function')
})
