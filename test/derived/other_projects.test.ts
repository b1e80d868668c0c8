/** Pages ask for an ability in each project that is named beside the one of their address. */
import { test } from 'node:test'
import { assertNothing, shipped } from './source_files.ts'

/** What finds a project without an ability, where that is right. */
const exempt: ReadonlySet<string> = new Set([
  // It runs the pages of the place that is found, with their own scopes and abilities.
  'src/portal/places/endpoints.ts',
  // It names the sections of the settings that the caller may open, each by its own ability.
  'src/portal/frame/settings.ts',
  // Administrators alone, who see the audit log of every place.
  'src/portal/admin/access/audit.ts',
])

test('a page finds other projects by what may be done in them, and not by whether they can be seen', () => {
  assertNothing(
    shipped
      .filter(({ path, text }) => path.startsWith('src/portal/') && /\bvisibleProject\b/.test(text) && !exempt.has(path))
      .map(({ path }) => path),
    'a page uses `visibleProject`: who sees a project need not see its code, issues or pipelines. Use `projectAllowing`',
  )
})
