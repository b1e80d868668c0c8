/** What the handbook says of where a page is (**Settings → Export**) is so: by the navigation that the pages show. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { labelOf } from '../../platform/pages/forms/labels.ts'
import { adminPlace } from '../admin/place.ts'
import { instanceSettingsPages } from '../admin/settings/endpoints.ts'
import { groupSettingsPages } from '../groups/settings/endpoints.ts'
import { groupSections, projectSections, sectionGroups } from '../place_settings/sections.ts'
import { projectSettingsPages } from '../projects/settings/endpoints.ts'
import { settingsPlace } from '../settings/place.ts'
import { isForm, type SettingsPage } from '../settings_pages/declaration.ts'

const folder = join(import.meta.dirname, '../../../docs/user')

/** Of another program, whose archives the handbook describes. */
const elsewhere: ReadonlySet<string> = new Set(['Settings → General → Advanced → Export project'])

/** Pages without declared sections: what stands on them is not looked at. */
const own = settingsPlace('profile').tabs.map(({ label }) => label)
const sections = [...projectSections, ...groupSections]

/** What a page of settings has: its parts, and their fields. */
const partsOf = <S extends object>(page: SettingsPage<S>): readonly string[] =>
  page.sections.flatMap(section => [
    section.title,
    ...(isForm(section) ? section.fields.map(({ name, label }) => label ?? labelOf(name)) : []),
  ])

const partsIn = (pages: readonly SettingsPage<never>[], title: string): readonly string[] | undefined => {
  const found = pages.filter(page => page.title === title)
  return found.length === 0 ? undefined : found.flatMap(partsOf)
}

/** Why a path leads nowhere; undefined where it leads somewhere. */
function wrongIn([first, second, third, fourth]: readonly string[]): string | undefined {
  if (second === undefined) return undefined
  if (first === 'Administration') {
    const { side } = adminPlace('overview', { tier: 'ultimate' })
    const labels = ['Settings', ...(side?.groups.flatMap(({ items }) => items.map(({ label }) => label)) ?? [])]
    if (!labels.includes(second)) return `Administration has no ${second}`
    if (second !== 'Settings' || third === undefined) return undefined
    const parts = partsIn(instanceSettingsPages as never, third)
    if (!parts) return `the settings of the instance have no ${third}`
    return fourth === undefined || parts.includes(fourth) ? undefined : `${third} has no ${fourth}`
  }
  if (first !== 'Settings') return undefined
  const isKnown = [...own, ...sections.map(({ label }) => label), ...sectionGroups].includes(second)
  if (!isKnown) return `no settings have ${second}`
  if (third === undefined || own.includes(second)) return undefined
  const below = sections.filter(({ group }) => group === second).map(({ label }) => label)
  const parts = partsIn([...projectSettingsPages, ...groupSettingsPages] as never, second)
  if (below.length === 0 && parts === undefined) return undefined
  return below.includes(third) || parts?.includes(third) ? undefined : `${second} has no ${third}`
}

test('the paths of the handbook lead somewhere', () => {
  const wrong: string[] = []
  let count = 0
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, bold = ''] of text.matchAll(/\*\*([^*]*→[^*]*)\*\*/g)) {
      const path = bold.replace(/\s+/g, ' ').trim()
      if (elsewhere.has(path)) continue
      count++
      const reason = wrongIn(path.split(' → '))
      if (reason !== undefined) wrong.push(`${file}: ${path}: ${reason}`)
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(count > 60, `${count} paths were found`)
})
