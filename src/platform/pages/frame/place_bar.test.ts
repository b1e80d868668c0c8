import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tab } from './place.ts'
import { fitting, placeBar } from './place_bar.ts'

const tabs: readonly Tab[] = Array.from({ length: 14 }, (_, index) => ({
  key: `tab-${index}`,
  label: `A tab with words ${index}`,
  icon: 'tag',
  href: `/${index}`,
}))

const keys = (of: readonly Tab[]) => of.map(({ key }) => key)

test('tabs that a bar has no room for stand in a menu, in their order', () => {
  const { shown, more } = fitting(tabs, 'tab-0')
  assert.ok(shown.length > 3 && more.length > 3)
  assert.deepEqual(keys([...shown, ...more]), keys(tabs))
  assert.deepEqual(fitting(tabs.slice(0, 4), 'tab-0'), { shown: tabs.slice(0, 4), more: [] })
})

test('the current tab is in the bar wherever it stands, and no tab is lost', () => {
  for (const { key } of tabs) {
    const { shown, more } = fitting(tabs, key)
    assert.ok(keys(shown).includes(key), key)
    assert.deepEqual(keys([...shown, ...more]).sort(), keys(tabs).sort())
  }
  const bar = placeBar({ crumbs: [{ label: 'Harbour', href: '/harbour' }], icon: 'repo', tabs, current: 'tab-13' }).text
  assert.match(bar, /<a href="\/13" aria-current="page">[\s\S]*<details class="menu more-tabs">/)
  assert.equal([...bar.matchAll(/<a href="\/\d+"/g)].length, tabs.length)
})
