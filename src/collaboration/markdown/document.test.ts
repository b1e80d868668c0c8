import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMarkdown } from './document.ts'
import { type Reference, splitAtReferences } from './references.ts'

const html = (text: string) => parseMarkdown(text).html().trim()

describe('rendering', () => {
  const cases: readonly (readonly [what: string, text: string, html: string])[] = [
    ['a paragraph', 'Hello *world*', '<p dir="auto">Hello <em>world</em></p>'],
    ['emoji by name', ':tada: :nothing:', '<p dir="auto"><gl-emoji title="party popper" data-name="tada">🎉</gl-emoji> :nothing:</p>'],
    ['a time is no emoji', 'at 10:30:15', '<p dir="auto">at 10:30:15</p>'],
    ['strikethrough', '~~gone~~', '<p dir="auto"><s>gone</s></p>'],
    ['code with its language', '```ruby\nputs 1 < 2\n```', '<pre class="code" lang="ruby"><code>puts 1 &lt; 2\n</code></pre>'],
    [
      'formulas in a line, without their signs',
      'cost $`a < b`$$`c`$, not $`d`',
      '<p dir="auto">cost <code class="code math js-render-math" data-math-style="inline">a &lt; b</code>' +
        '<code class="code math js-render-math" data-math-style="inline">c</code>, not $<code>d</code></p>',
    ],
    [
      'formulas that stand by themselves',
      '```math\na & b\n```',
      '<pre class="code math js-render-math" lang="math" data-math-style="display"><code>a &amp; b\n</code></pre>',
    ],
    [
      'diagrams',
      '```mermaid\ngraph TD; A-->B\n```',
      '<pre class="code" lang="mermaid"><code class="js-render-mermaid">graph TD; A--&gt;B\n</code></pre>',
    ],
    [
      'addresses as links that tell nothing',
      'see https://example.com/a?b=1',
      '<p dir="auto">see <a href="https://example.com/a?b=1" rel="nofollow noreferrer noopener">https://example.com/a?b=1</a></p>',
    ],
    ['file names are no addresses', 'README.md and www', '<p dir="auto">README.md and www</p>'],
    [
      'tasks',
      '- [x] done\n- [ ] open',
      '<ul dir="auto">\n<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled checked aria-label="done" data-task="0:e6be3b57e096666b" /> done</li>\n' +
        '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled aria-label="open" data-task="1:a8d72c0aa4b454bf" /> open</li>\n</ul>',
    ],
    [
      'headings with an anchor',
      '# What is *new*?',
      '<h1 dir="auto"><a id="user-content-what-is-new" class="anchor" href="#what-is-new" aria-hidden="true"></a>What is <em>new</em>?</h1>',
    ],
    [
      'tables',
      '| a | b |\n|---|:-:|\n| 1 | 2 |',
      '<table dir="auto">\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align:center">b</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td>1</td>\n<td style="text-align:center">2</td>\n</tr>\n</tbody>\n</table>',
    ],
  ]
  for (const [what, text, expected] of cases) test(what, () => assert.equal(html(text), expected))
})

describe('harmful input is removed', () => {
  const attacks: readonly string[] = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<img src="javascript:alert(1)">',
    '<img src="data:image/svg+xml;base64,PHN2Zy8+">',
    '[click](javascript:alert(1))',
    '[click](JaVaScRiPt:alert(1))',
    '[click](java&#10;script:alert(1))',
    '[click](&#x6A;avascript:alert(1))',
    '<a href="vbscript:x">x</a>',
    '<a href="data:text/html,<script>1</script>">x</a>',
    '<a href="//evil.example">x</a>',
    '<svg onload=alert(1)><script>1</script></svg>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<iframe srcdoc="<script>1</script>"></iframe>',
    '<object data="javascript:1"></object><embed src="javascript:1">',
    '<style>@import "javascript:1"</style>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<form action="javascript:1"><input type="submit"></form>',
    '<details open ontoggle=alert(1)>x</details>',
    '<base href="javascript:1">',
    '<meta http-equiv="refresh" content="0;url=javascript:1">',
    '<p id="user">x</p><a id="logout" name="x">y</a>',
    '```"><script>alert(1)</script>\nx\n```',
    '~"\\"><script>alert(1)</script>"',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '![x](x"onerror=alert`1`)',
  ]
  for (const attack of attacks) {
    test(attack, () => {
      const safe = html(attack)
      const attributes = safe.replaceAll(/="[^"]*"/g, '')
      assert.doesNotMatch(safe, /<(script|svg|math|iframe|object|embed|style|form|base|meta|noscript)\b/i)
      assert.doesNotMatch(attributes, /<[^>]+\s(on\w+|srcdoc|action)/i)
      assert.doesNotMatch(safe, /\sid="(?!user-content-)/i)
      assert.doesNotMatch(safe, /(href|src)="\s*(?:javascript|vbscript|data|\/\/)/i)
    })
  }
})

describe('references', () => {
  const reference = (kind: Reference['kind'], text: string, name: string, place?: string): Reference => ({ kind, text, name, place })
  const cases: readonly (readonly [text: string, pieces: readonly (string | Reference)[]])[] = [
    ['see #12.', ['see ', reference('issue', '#12', '12'), '.']],
    ['a/b-c#3, d!4', [reference('issue', 'a/b-c#3', '3', 'a/b-c'), ', ', reference('merge_request', 'd!4', '4', 'd')]],
    ['(a.b/c&7)', ['(', reference('epic', 'a.b/c&7', '7', 'a.b/c'), ')']],
    ['@ada and @team/core.', [reference('user', '@ada', 'ada'), ' and ', reference('user', '@team/core', 'team/core'), '.']],
    ['~bug ~"in review"', [reference('label', '~bug', 'bug'), ' ', reference('label', '~"in review"', 'in review')]],
    ['%"Release 1" %v1.2.', [reference('milestone', '%"Release 1"', 'Release 1'), ' ', reference('milestone', '%v1.2', 'v1.2'), '.']],
    ['~priority::high', [reference('label', '~priority::high', 'priority::high')]],
    ['fixed by 1a2b3c4d', ['fixed by ', reference('commit', '1a2b3c4d', '1a2b3c4d')]],
    ['a/b@1a2b3c4', [reference('commit', 'a/b@1a2b3c4', '1a2b3c4', 'a/b')]],
    ['mail ada@example.com, C#, 50% off, 1#2x, feed-me &amp; you', ['mail ada@example.com, C#, 50% off, 1#2x, feed-me &amp; you']],
    ['colour &#123; and x##5', ['colour &#123; and x##5']],
  ]
  for (const [text, pieces] of cases) test(text, () => assert.deepEqual(splitAtReferences(text), pieces))

  test('are not recognized in code and in links', () => {
    const { references } = parseMarkdown('`#1` [#2](https://example.com) #3\n\n```\n#4\n```\n\n    #5\n')
    assert.deepEqual(
      references.map(({ text }) => text),
      ['#3'],
    )
  })

  test('become links if their target exists, and stay text otherwise', () => {
    const found = parseMarkdown('#1 #2 <b>').html(({ name }) => (name === '1' ? { href: 'http://x/1?a="&b', title: 'One <"' } : undefined))
    assert.equal(
      found.trim(),
      '<p dir="auto"><a href="http://x/1?a=&quot;&amp;b" title="One &lt;&quot;" class="gfm gfm-issue" rel="nofollow noreferrer noopener">#1</a> #2 <b></b></p>',
    )
  })
})

test('tasks are counted outside of code, at any depth', () => {
  const text = '- [x] a\n  - [ ] b\n1. [X] c\n* [] no\n- [ ]no\n\n```\n- [ ] code\n```\n\n> - [ ] quoted\n'
  assert.deepEqual(parseMarkdown(text).tasks, { count: 4, completed: 2 })
})
