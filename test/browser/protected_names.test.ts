/** Rules for names of packages and images in a real browser: made, changed where the form is refused, and removed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oauthScene, password } from '../../src/identity/oauth/scene.ts'
import { atEnd } from '../at_end.ts'
import { openScene } from '../scene.ts'
import { startChromium } from './chromium.ts'
import { waysIn } from './hands.ts'
import { signedIn } from './visitor.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const browser = await startChromium()
atEnd(() => browser.close())

/** The pages of both, with the form of a rule and how its list shows it. */
const kinds = [
  {
    path: 'protected_packages',
    api: 'packages/protection/rules',
    add: 'Protect packages',
    who: 'Who may publish them',
    pattern: '@lamp/*',
    wrong: '@lamp/taken',
  },
  {
    path: 'protected_images',
    api: 'registry/protection/repository/rules',
    add: 'Protect images',
    who: 'Who may push them',
    pattern: undefined,
    wrong: 'elsewhere',
  },
] as const

for (const [way, options, hands] of waysIn(import.meta.url))
  for (const { path, api, add, who, pattern, wrong } of kinds)
    test(`a maintainer, ${way}, works with rules: ${path}`, async () => {
      const { person } = await surfer()
      const { project } = await scene.project({ visibility: 'private' })
      await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 40 })
      const window = await signedIn(browser, scene.url, options, { username: person.username, password })
      const { page } = window
      const by = hands(page)
      const main = page.getByRole('main')
      const rules = async () =>
        (await scene.root.get(`${project.url}/${api}`)).body.filter(
          (rule: { package_name_pattern?: string }) => rule.package_name_pattern !== '@lamp/taken',
        )
      const taken = { package_name_pattern: '@lamp/taken', package_type: 'npm', minimum_access_level_for_push: 'owner' }
      await scene.root.post(`${project.url}/packages/protection/rules`, taken)
      await window.visit(`/${project.full_path}/-/settings/${path}`)
      await by.press(main.getByRole('link', { name: add }).first())
      await by.write(page.getByLabel('Name or pattern'), wrong)
      await by.press(main.getByRole('button', { name: add }))
      await page.getByLabel('Name or pattern').and(page.locator('[aria-invalid=true]')).waitFor()
      await window.check()
      const name = pattern ?? `${project.full_path}/web*`
      await by.write(page.getByLabel('Name or pattern'), name)
      await by.choose(page.getByLabel(who), 'Owners')
      await by.press(main.getByRole('button', { name: add }))
      await main.getByText(name, { exact: false }).first().waitFor()
      await window.check()
      const [made] = await rules()
      assert.deepEqual([made.minimum_access_level_for_push, made.minimum_access_level_for_delete], ['owner', null])

      const row = main.getByRole('listitem').filter({ hasText: name })
      await by.press(row.getByRole('link', { name: /Edit/ }))
      await by.choose(page.getByLabel('Who may delete them'), 'Owners')
      await by.press(main.getByRole('button', { name: /Save/ }))
      await main.getByText('Delete: Owners').waitFor()
      await window.check()
      await by.press(row.getByRole('button', { name: /Unprotect/ }))
      await page.getByText('The rule was removed.').waitFor()
      await window.check()
      assert.deepEqual(await rules(), [])
      await window.close()
    })
