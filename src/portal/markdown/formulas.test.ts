/** Formulas on pages: set as MathML, within bounds of time, number and size, and nothing else of what a formula may try. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { parseMarkdown } from '../../collaboration/markdown/document.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { escapeHtml } from '../../platform/pages/html.ts'
import { stopSettingFormulas, withFormulas } from './formulas.ts'
import { FORMULA_LENGTH, MOST_FORMULAS } from './thread.ts'

after(stopSettingFormulas)

const scene = await openScene()
const { surfer } = oauthScene(scene)

const shown = (text: string) => withFormulas(parseMarkdown(text).html())
const inBlock = (formula: string) => shown(`\`\`\`math\n${formula}\n\`\`\``)

/** The source of a formula with a hint, as it is shown instead of the formula. */
const refused = (formula: string, reason: string): string =>
  `<code>${escapeHtml(formula)}</code></pre><p><small class="formula-hint">This formula is not set: ${escapeHtml(reason)}</small></p>`

test('a formula is set in its line, and one in a block by itself', async () => {
  assert.equal(
    await shown('If $`a^2 < b`$ then'),
    '<p dir="auto">If <math><mrow><msup><mi>a</mi><mn>2</mn></msup><mo>&lt;</mo></mrow><mrow><mi>b</mi></mrow></math> then</p>\n',
  )
  assert.equal(
    await inBlock('\\frac{1}{2}'),
    '<div class="formula" tabindex="0" role="group" aria-label="Formula"><math display="block"><mfrac><mn>1</mn><mn>2</mn></mfrac></math></div>\n',
  )
})

test('a text without formulas is as it was', async () => {
  const html = parseMarkdown('`a^2` and $5\n\n```js\n$`a`$\n```').html()

  assert.equal(await withFormulas(html), html)
})

test('styles become attributes and classes, since pages allow none', async () => {
  const matrix = await inBlock('\\textcolor{red}{x} \\boxed{y} \\begin{array}{|c|}\\hline 1\\end{array}')

  assert.match(matrix, /<mi mathcolor="#ff0000">x<\/mi>/)
  assert.match(matrix, /class="math-box"/)
  assert.match(matrix, /<mtd class="math-line-top [^"]*math-line-left math-line-right">/)
  assert.doesNotMatch(matrix, / style=/)
})

describe('what cannot be set is shown as its source with the reason', () => {
  const cases: readonly (readonly [formula: string, reason: string])[] = [
    ['\\frac{1}', "Unexpected end of input in a macro argument, expected '}'"],
    ['\\nothing', 'Unsupported function name: \\nothing'],
    ['\\href{javascript:alert(1)}{x}', 'Unsupported function name: \\href'],
    ['\\includegraphics{https://example.com/a.png}', 'Function "\\includegraphics" is not trusted'],
    ['\\class{menu}{x}', 'Function "\\class" is not trusted'],
    ['\\color{url(x)}y', "Invalid color: 'url(x)'"],
    ['<img src=x onerror=alert(1)> \\nothing', 'Unsupported function name: \\nothing'],
    ['x'.repeat(FORMULA_LENGTH + 1), 'it is too long'],
    ['\\def\\a{\\a\\a}\\a', 'Too many expansions: infinite loop or need to increase maxExpand setting'],
  ]
  for (const [formula, reason] of cases)
    test(formula.slice(0, 40), async () => assert.ok((await inBlock(formula)).includes(refused(formula, reason)), await inBlock(formula)))
})

describe('formulas make nothing but MathML', () => {
  const attacks: readonly string[] = [
    '\\text{<img src=x onerror=alert(1)>}',
    '\\text{</math><script>alert(1)</script>}',
    '\\verb|<script>|',
    '\\ref{a}\\label{logout}',
    '\\tag{<b>}',
    '\\textcolor{red;background:url(x)}{y}',
    '\\html{<b>}',
    '\\char"3C script\\char"3E',
    '\\rule{1000em}{1000em}',
    '\\raisebox{1000em}{x}',
    '\\begin{CD} A @>a>> B \\end{CD}',
  ]
  for (const attack of attacks)
    test(attack, async () => {
      const [, math] = /<math[^>]*>(.*)<\/math>/.exec(await inBlock(attack)) ?? []
      const elements = [...(math ?? '').matchAll(/<\/?([a-z]+)/g)].map(([, name]) => name as string)
      assert.deepEqual(
        elements.filter(name => !name.startsWith('m')),
        [],
      )
      assert.doesNotMatch(math ?? '', /<[^>]+\s(?:href|src|style|id|on\w+)=/)
      assert.doesNotMatch(math ?? '', /"\d{3,}/)
    })
})

test('formulas that would keep the thread for ever are shown as their sources, and the next text is set again', async () => {
  // The last two would end the process, and not the thread alone, if the memory of the thread were what ends them.
  const bombs = [
    '\\mathllap{'.repeat(150) + '}'.repeat(150),
    `\\def\\a{${'x'.repeat(900)}}${'\\a'.repeat(450)}`,
    `\\def\\a{${'\\frac12'.repeat(140)}}${'\\a'.repeat(450)}`,
    `\\def\\a{${'\\mathllap x'.repeat(90)}}${'\\a'.repeat(450)}`,
  ]

  for (const bomb of bombs) {
    const html = await inBlock(bomb)
    assert.ok(html.includes(escapeHtml(bomb)) && html.length < 3 * bomb.length, html.slice(-200))
  }

  assert.match(await shown('$`y_1`$'), /<math>/)
})

test('of more formulas than a text may have, the first are set', async () => {
  const html = await shown(Array.from({ length: MOST_FORMULAS + 2 }, () => '$`x`$').join(' '))

  const hints = html.match(/the text has too many formulas/g)?.length ?? 0
  assert.ok(hints >= 2, String(hints))
  assert.equal((html.match(/<math>/g)?.length ?? 0) + hints, MOST_FORMULAS + 2)
})

test('raw HTML that looks like a formula makes no elements', async () => {
  const html = await shown(
    '<code class="code math js-render-math" data-math-style="inline">a<b>c</b></code> <math><mi style="x">d</mi></math>',
  )

  assert.equal(html, '<p dir="auto"><code class="code math js-render-math" data-math-style="inline">a<b>c</b></code> d</p>\n')
})

test('descriptions, comments, files and previews have their formulas set; the API leaves that to its clients', async () => {
  const writer = await surfer()
  const { project, owner } = await scene.project({ owner: writer.person })
  const text = 'Area: $`\\pi r^2`$'
  const set = /Area: <math><mrow><mi>π<\/mi>/
  const { iid } = (await owner.post(`${project.url}/issues`, { title: 'A circle', description: text })).body
  await owner.post(`${project.url}/issues/${iid}/notes`, { body: `${text} again` })
  await scene.commit(project, { 'README.md': text })

  const issue = (await writer.get(`/${project.full_path}/-/issues/${iid}`)).body
  const [readme, file] = [await writer.get(`/${project.full_path}`), await writer.get(`/${project.full_path}/-/blob/main/README.md`)]
  const preview = await writer.submit(`/${project.full_path}/-/preview`, { text })

  assert.equal(issue.match(new RegExp(set, 'g'))?.length, 2)
  for (const { body } of [readme, file, preview]) assert.match(body, set)
  const api = await scene.anonymous.post('/markdown', { text })
  assert.match(api.body.html, /<code class="code math js-render-math" data-math-style="inline">\\pi r\^2<\/code>/)
})
