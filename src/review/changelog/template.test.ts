/** The language of changelog templates, and the order of versions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configOf, formatDate } from './config.ts'
import { withSection } from './section.ts'
import { Template, TemplateError, type Value } from './template.ts'
import { compareVersions, type Version, versionOf } from './versions.ts'

const values: Value = { users: [{ name: 'Ada' }, { name: 'Bob' }], title: 'T', empty: [], no: false, words: ['a', 'b'] }

const rendered: [template: string, text: string][] = [
  ['plain', 'plain'],
  ['{{ title }} {{users.1.name}} {{ missing.x }}', 'T Bob '],
  ['{% if title %}\nyes\n{% else %}\nno\n{% end %}\n', 'yes\n'],
  ['{% if empty %}\nyes\n{% else %}\nno\n{% end %}\n', 'no\n'],
  ['{% if no %}yes{% end %}', ''],
  ['{% each users %}\n{{name}}\n{% end %}\n', 'Ada\nBob\n'],
  ['{% each words %}{{ it }},{% end %}', 'a,b,'],
  ['a\\\nb', 'ab'],
  ['---\n{% if title %}\nbar\n{% end %}\n---\n', '---\nbar\n---\n'],
]
for (const [template, text] of rendered)
  test(`${JSON.stringify(template)} is written as ${JSON.stringify(text)}`, () => assert.equal(new Template(template).render(values), text))

for (const template of [
  '{% if a %}',
  '{% end %}',
  '{% each a b %}{% end %}',
  '{% else %}',
  '{{ a b }}',
  '{% foo %}',
  '{% if a %}{% else %}{% else %}{% end %}',
])
  test(`${template} is refused`, () => assert.throws(() => new Template(template), TemplateError))

test('a template that would write without end is given up', () => {
  const many = { list: Array.from({ length: 1_000 }, () => 'x') }
  const deep = { list: many.list.map(() => ({ list: many.list.map(() => many) })) }

  assert.throws(() => new Template('{% each list %}{% each list %}{% each list %}x{% end %}{% end %}{% end %}').render(deep), TemplateError)
  assert.throws(() => new Template(`${'{% if a %}'.repeat(30)}${'{% end %}'.repeat(30)}`), TemplateError)
})

test('a template or configuration costs no more than its length', async () => {
  const braces = '{%'.repeat(20_000)
  for (const template of [`{%${' '.repeat(90_000)}`, `{{${' '.repeat(90_000)}`, braces])
    assert.equal(new Template(template).render({}), template)
  const below = Array.from({ length: 9 }, (_, n) => `x${n + 1}: &x${n + 1} [${Array(9).fill(`*x${n}`)}]`)
  await assert.rejects(configOf(['x0: &x0 [a]', ...below, 'categories: {feature: *x9}'].join('\n')), TemplateError)
  for (const pattern of ['[a-z]?'.repeat(300), '[a-z]{1000}[a-z]{1000}[a-z]{1000}'])
    await assert.rejects(configOf(`tag_regex: '${pattern}'`), TemplateError)
})

test('versions are in the order of semantic versioning', () => {
  const ordered = ['0.9.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0', '1.2.0', '1.10.0', '2.0.0']
  const shuffled = [...ordered].reverse()

  shuffled.sort((a, b) => compareVersions(versionOf(a) as Version, versionOf(b) as Version))

  assert.deepEqual(shuffled, ordered)
  for (const text of ['1.0', '01.0.0', 'x', '1.0.0 ', '1.0.0-']) assert.equal(versionOf(text), undefined, text)
})

test('a section stands before the first one of an older version', () => {
  const file = '# Changes\n\n## 2.0.0 (2021-02-01)\n\nNew.\n\n## 1.0.0 (2021-01-01)\n\nOld.\n'
  const add = (text: string, version: string) => withSection(text, versionOf(version) as Version, `## ${version} (today)\n\nX.\n`)

  assert.equal(add('', '1.0.0'), '## 1.0.0 (today)\n\nX.\n')
  assert.match(add(file, '1.5.0'), /New\.\n\n## 1\.5\.0 \(today\)\n\nX\.\n\n## 1\.0\.0/)
  assert.match(add(file, '3.0.0'), /^# Changes\n\n## 3\.0\.0 \(today\)\n\nX\.\n\n## 2\.0\.0/)
  assert.match(add(file, '0.1.0'), /Old\.\n\n## 0\.1\.0 \(today\)\n\nX\.\n$/)
})

test('dates are written in the words of strftime', () => {
  const date = new Date('2021-01-05T04:06:07Z')

  assert.equal(formatDate(date, '%Y-%m-%d %H:%M:%S'), '2021-01-05 04:06:07')
  assert.equal(formatDate(date, '%A, %-d %B %y 100%% %Q'), 'Tuesday, 5 January 21 100% %Q')
})
