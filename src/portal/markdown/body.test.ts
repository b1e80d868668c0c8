import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownBody } from './body.ts'

const heading = '<h2><a id="user-content-install" class="anchor" href="#install" aria-hidden="true"></a>Install</h2>'

test('columns of tables are aligned without styles, which the policy of pages refuses', async () => {
  const { text } = await markdownBody(
    '<table dir="auto"><tr><td style="text-align:right">9 style=</td><th style="text-align:center">x</th></tr></table>',
  )
  assert.equal(text, '<table dir="auto" tabindex="0"><tr><td align="right">9 style=</td><th align="center">x</th></tr></table>')
})

test('links to headings of a text lead to their ids; other links and what only reads like a link stay', async () => {
  const shown = async (html: string) => (await markdownBody(`${heading}${html}`)).text.split('</h2>')[1]
  assert.equal(await shown('<a href="#install">x</a>'), '<a href="#user-content-install">x</a>')
  assert.equal(await shown('<a href="#%69nstall">x</a>'), '<a href="#user-content-install">x</a>')
  for (const same of [
    '<a href="#elsewhere">x</a>',
    '<a href="#100%">x</a>',
    '<a href="https://example.com/#install">x</a>',
    '<p>the attribute href="#install" of &lt;a href="#install"&gt;</p>',
  ])
    assert.equal(await shown(same), same)
})
