import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { referencesWithin, withReferences } from './rewriting.ts'

describe('references are rewritten in place, and nothing else is', () => {
  const shouted = (text: string) => withReferences(text, ({ text }) => `<${text}>`)
  for (const [text, written] of [
    ['see #1, !2 and &3', 'see <#1>, <!2> and <&3>'],
    ['(#1) **#2** > #3', '(<#1>) **<#2>** > <#3>'],
    ['`#1` #2 ``a #3``', '`#1` <#2> ``a #3``'],
    ['```\n#1\n```\n#2', '```\n#1\n```\n<#2>'],
    ['~~~ruby\n#1\n```\n#2\n~~~\n#3', '~~~ruby\n#1\n```\n#2\n~~~\n<#3>'],
    ['```\nnever closed #1', '```\nnever closed #1'],
    ['<!-- #1 --> #2', '<!-- #1 --> <#2>'],
    ['[see](#1) ![i](a.png) [#2](http://x/#3)', '[see](#1) ![i](a.png) [<#2>](http://x/#3)'],
    ['http://example.com/#1 #2', 'http://example.com/#1 <#2>'],
    ['<a href="#1">#2</a>', '<a href="#1"><#2></a>'],
    ['1 < 2 #3', '1 < 2 <#3>'],
    ['a ` b #1', 'a ` b <#1>'],
    ['nothing', 'nothing'],
    ['', ''],
  ] as const)
    test(JSON.stringify(text), () => assert.equal(shouted(text), written))

  test('unchanged references leave the text as it was', () => {
    const text = 'see #1 and `#2`\r\n\r\n- [ ] group/project#3 '
    assert.equal(
      withReferences(text, () => undefined),
      text,
    )
    assert.deepEqual(
      referencesWithin(text).map(reference => reference.text),
      ['#1', 'group/project#3'],
    )
  })

  test('a megabyte of unclosed markup takes linear time', () => {
    const before = process.cpuUsage()
    for (const text of ['`', '``` ', '\n```\n', '<!--', '<a ', '](', 'http://', '#1 '])
      assert.ok(withReferences(text.repeat(1_000_000 / text.length), () => undefined).length > 900_000)
    const { user } = process.cpuUsage(before)
    assert.ok(user < 10_000_000, `${user} µs for 8 MB`)
  })
})
