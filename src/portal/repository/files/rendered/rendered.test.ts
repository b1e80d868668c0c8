import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'
import { oauthScene } from '../../../../identity/oauth/scene.ts'
import { csvTable } from './csv.ts'
import { readNotebook } from './notebook.ts'

describe('tables', () => {
  test('values have quotes, separators and line ends as their files have them', () => {
    for (const [text, rows] of [
      [
        'a,b\n1,2\n',
        [
          ['a', 'b'],
          ['1', '2'],
        ],
      ],
      [
        '\uFEFFa;b\r\n1,5;2\r\n',
        [
          ['a', 'b'],
          ['1,5', '2'],
        ],
      ],
      [
        '"a ""b""","c\nd"\r,x',
        [
          ['a "b"', 'c\nd'],
          ['', 'x'],
        ],
      ],
      [
        'a,\n,\n',
        [
          ['a', ''],
          ['', ''],
        ],
      ],
      ['a,b,', [['a', 'b', '']]],
      ['"a"b,c', [['ab', 'c']]],
      ['\n\n', [[''], ['']]],
    ] as const)
      assert.deepEqual(csvTable(text, ',')?.rows, rows, JSON.stringify(text))
    assert.deepEqual(csvTable('a\tb,c', '\t')?.rows, [['a', 'b,c']])
    assert.equal(csvTable('"never closed', ','), undefined)
    assert.equal(csvTable('', ','), undefined)
  })

  test('a large table is cut', () => {
    const table = csvTable('x,'.repeat(200).concat('\n').repeat(1_000), ',')
    assert.deepEqual([table?.rows.length, table?.rows[0]?.length, table?.isCut], [500, 100, true])
  })
})

test('values are cut, and so is a table of many characters', () => {
  const long = csvTable(`"${'""'.repeat(900_000)}",${'x'.repeat(900_000)},y`, ',')
  assert.deepEqual([long?.isCut, long?.rows[0]?.map(value => value.length)], [true, [2_001, 2_001, 1]])

  const wide = csvTable(`${'x'.repeat(1_900)},${'y'.repeat(1_900)}\n`.repeat(400), ',')
  assert.equal(wide?.isCut, true)
  assert.ok((wide?.rows.length ?? 0) < 150)
})

describe('notebooks', () => {
  test('lists within each other end somewhere, and brackets in texts are none', () => {
    assert.equal(readNotebook(`{"cells":[${'['.repeat(500_000)}${']'.repeat(500_000)}]}`), undefined)
    const source = '[{'.repeat(1_000).concat('\\"[')
    assert.equal(readNotebook(JSON.stringify({ cells: [{ cell_type: 'code', source }] }))?.cells[0]?.source, source)
  })

  test('what is no notebook is none, and odd parts of one are left out', () => {
    for (const text of ['', '[]', '{"cells": 1}', 'null', '{']) assert.equal(readNotebook(text), undefined)
    const cells = [null, 1, { cell_type: 'code', source: ['a\n', 2, 'b'], outputs: [null, { data: { 'image/png': '"><script>' } }, 'x'] }]
    assert.deepEqual(readNotebook(JSON.stringify({ cells }))?.cells, [
      { kind: 'raw', source: '', outputs: [] },
      { kind: 'raw', source: '', outputs: [] },
      { kind: 'code', source: 'a\nb', outputs: [] },
    ])
  })
})

test('pages show tables, notebooks and documents as such, and run nothing of them', async () => {
  const scene = await openScene()
  const { surfer } = oauthScene(scene)
  const owner = await surfer()
  const by = scene.as({ 'private-token': owner.person.token })
  const { body: project } = await by.post('/projects', { name: 'Shown as such' })
  const page = `/${project.path_with_namespace}`
  const cells = [
    { cell_type: 'markdown', source: ['# Light\n', '<script>alert(1)</script><img src=x onerror=alert(2)>'] },
    {
      cell_type: 'code',
      source: 'import light',
      outputs: [
        { output_type: 'stream', text: ['<b>\n'] },
        { output_type: 'display_data', data: { 'text/html': '<script>alert(3)</script>', 'image/png': 'iVBORw0KGgo=\n' } },
        { output_type: 'error', traceback: ['\u001b[0;31mNo light\u001b[0m'] },
      ],
    },
  ]
  const notebook = JSON.stringify({ nbformat: 4, metadata: { language_info: { name: 'python' } }, cells })
  const files = { 'a.csv': 'name,light\n"<b>",2\n', 'bad.csv': '"never', 'n.ipynb': notebook, 'bad.ipynb': '{', 'a.pdf': '%PDF-1.4\n' }
  const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }))
  await by.post(`/projects/${project.id}/repository/commits`, { branch: 'main', commit_message: 'Begin', actions })
  const blob = async (name: string, query = {}) => (await owner.get(`${page}/-/blob/main/${name}`, query)).body

  assert.match(await blob('a.csv'), /<th scope="col">light<\/th>.*<th scope="row">1<\/th><td>&lt;b&gt;<\/td>/)
  assert.match(await blob('a.csv', { plain: '1' }), /id="L2"/)
  assert.match(await blob('bad.csv'), /id="L1"/)
  assert.match(await blob('bad.ipynb'), /id="L1"/)
  const shown = await blob('n.ipynb')
  assert.match(shown, /Light<\/h1>/)
  assert.match(shown, /<span class="hljs-keyword">import<\/span> light/)
  assert.match(shown, /<pre class="output[^>]*>&lt;b&gt;\n<\/pre>/)
  assert.match(shown, /<img src="data:image\/png;base64,iVBORw0KGgo=" alt="Output of cell 2">/)
  assert.match(shown, /error" tabindex="0">No light<\/pre>/)
  assert.ok(!/alert\(|onerror/.test(shown))
  assert.match(await blob('a.pdf'), new RegExp(`href="${page}/-/raw/main/a.pdf"`))
  const raw = await owner.get(`${page}/-/raw/main/a.pdf`)
  assert.deepEqual([raw.headers['content-type'], raw.headers['x-content-type-options']], ['application/pdf', 'nosniff'])
  assert.match(String(raw.headers['content-security-policy']), /default-src 'none'/)
})
