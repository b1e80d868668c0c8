/** What is delivered with the program, and under which licence: the page that `npm run generate` writes, read once. */

import { readFile } from 'node:fs/promises'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { dataTable } from '../../../platform/pages/components/table.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { filterBar, given } from '../../../platform/pages/forms/filter_bar.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { adminPlace } from '../place.ts'
import { inAdministration } from '../scope.ts'

const LIST = '/admin/licences'

/** Delivered with the program. */
const LISTED = new URL('../../../../docs/dependencies.md', import.meta.url)

/** A package that the program is delivered with. */
export interface Dependency {
  readonly name: string
  readonly version: string
  readonly licence: string
}

/** The rows of the page's table. */
export const dependenciesIn = (markdown: string): readonly Dependency[] =>
  [...markdown.matchAll(/^\| (\S+) \| (\d\S*) \| (.+) \|$/gm)].map(([, name, version, licence]) => ({
    name: name as string,
    version: version as string,
    licence: licence as string,
  }))

let known: Promise<readonly Dependency[]> | undefined
const dependencies = () => (known ??= readFile(LISTED, 'utf8').then(dependenciesIn))

export const showLicences = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the licences of what the program is delivered with',
  scope: inAdministration,
  can: 'admin_instance',
  params: {
    search: optional(text('Part of the name', { maxLength: 255 })),
    licence: optional(text('Only those with this licence', { maxLength: 255 })),
  },
  async run(ctx) {
    const all = await dependencies()
    const { search, licence } = given(ctx.params)
    const found = all.filter(
      each => (search === undefined || each.name.includes(search.toLowerCase())) && (licence === undefined || each.licence === licence),
    )
    const licences = [...Map.groupBy(all, each => each.licence)].sort(([, one], [, other]) => other.length - one.length)
    return page(ctx, {
      title: 'Licences',
      place: adminPlace('licences', ctx),
      body: html`<p class="muted">Packages that are delivered with the program: ${all.length}.</p>
${filterBar(LIST, [
  { name: 'search', label: 'Name', value: search, type: 'search' },
  {
    name: 'licence',
    label: 'Licence',
    value: licence,
    choices: licences.map(([name, { length }]) => [name, `${name} (${length})`] as const),
    any: 'All',
  },
])}
${
  found.length > 0
    ? dataTable({
        label: 'Packages',
        rows: found,
        columns: [
          { title: 'Package', cell: ({ name }) => name },
          { title: 'Version', className: 'mono', cell: ({ version }) => version },
          { title: 'Licence', cell: ({ licence }) => licence },
        ],
      })
    : empty({ icon: 'law', title: 'No packages', says: 'No package is like this.' })
}`,
    })
  },
})
