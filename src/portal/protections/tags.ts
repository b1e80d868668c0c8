/** The protected tags of a project: who may create them. */
import { listProtectedTags, protectTag, unprotectTag } from '../../code/protected_tags/endpoints.ts'
import { html } from '../../platform/pages/html.ts'
import type { InEither } from '../places/planning.ts'
import { projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'
import { levelChoices, levelWords, type ShownLevel } from './levels.ts'

interface Protection {
  readonly name: string
  readonly create_access_levels: readonly ShownLevel[]
}

export const protectedTagPages = thingPages<InEither, Protection>({
  home: projectHome,
  path: '/-/settings/protected_tags',
  key: 'protected_tags',
  live: 'protected_tags',
  title: 'Protected tags',
  icon: 'tag',
  purpose: 'No one moves or deletes a protected tag, and only those whom you name create it.',
  list: listProtectedTags,
  row: ({ name, create_access_levels }) =>
    html`<div class="title mono break">${name}</div><div class="facts"><span>Create: ${levelWords(create_access_levels)}</span></div>`,
  labelOf: ({ name }) => name,
  idOf: ({ name }) => name,
  id: 'name',
  add: {
    of: protectTag,
    title: 'Protect a tag',
    fields: () => [
      { name: 'name', label: 'Tag or pattern', autofocus: true, hint: 'In a pattern `*` stands for any text: `v*`.' },
      { name: 'create_access_level', label: 'Who may create it', control: 'select', choices: levelChoices([40, 30, 0]), hint: '' },
    ],
    notice: 'The tag is protected.',
  },
  remove: { of: unprotectTag, button: 'Unprotect', notice: 'The tag is not protected any more.', confirms: true },
})
