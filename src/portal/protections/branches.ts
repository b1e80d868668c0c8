/** The protected branches of a project: who may push to them, merge into them, and force a push. */
import { listProtectedBranches, protectBranch, unprotectBranch, updateProtectedBranch } from '../../code/protected_branches/endpoints.ts'
import type { ProtectedBranchRow } from '../../code/protected_branches/queries.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { html } from '../../platform/pages/html.ts'
import type { InEither } from '../places/planning.ts'
import { projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'
import { levelChoices, levelWords, type ShownLevel } from './levels.ts'

interface Protection {
  readonly name: string
  readonly push_access_levels: readonly ShownLevel[]
  readonly merge_access_levels: readonly ShownLevel[]
  readonly unprotect_access_levels?: readonly ShownLevel[]
  readonly allow_force_push: boolean
  readonly code_owner_approval_required?: boolean
}

const force = { name: 'allow_force_push', label: 'Those who may push may rewrite it', hint: 'By `git push --force`.' }
const owners = {
  name: 'code_owner_approval_required',
  label: 'Code owners must approve',
  hint: 'Of the files that a merge request changes.',
}

export const protectedBranchPages = thingPages<InEither, Protection>({
  home: projectHome,
  path: '/-/settings/protected_branches',
  key: 'protected_branches',
  title: 'Protected branches',
  icon: 'shield-lock',
  purpose: 'No one rewrites or deletes a protected branch, and only those whom you name push to it or merge into it.',
  list: listProtectedBranches,
  row: ({ name, push_access_levels, merge_access_levels, unprotect_access_levels = [], allow_force_push, code_owner_approval_required }) =>
    html`<div class="title mono break">${name}</div><div class="facts"><span>Push: ${levelWords(push_access_levels)}</span><span>Merge: ${levelWords(merge_access_levels)}</span>${unprotect_access_levels.length > 0 && html`<span>Unprotect: ${levelWords(unprotect_access_levels)}</span>`}${allow_force_push && html`<span>${chip('May be rewritten', 'attention')}</span>`}${code_owner_approval_required && html`<span>${chip('Code owners approve')}</span>`}</div>`,
  labelOf: ({ name }) => name,
  idOf: ({ name }) => name,
  id: 'name',
  add: {
    of: protectBranch,
    title: 'Protect a branch',
    fields: ({ tier }) => [
      { name: 'name', label: 'Branch or pattern', autofocus: true, hint: 'In a pattern `*` stands for any text: `release/*`.' },
      { name: 'merge_access_level', label: 'Who may merge', control: 'select', choices: levelChoices([30, 40, 60, 0]), hint: '' },
      { name: 'push_access_level', label: 'Who may push', control: 'select', choices: levelChoices([40, 30, 60, 0]), hint: '' },
      ...(tierCovers(tier, 'premium')
        ? [
            {
              name: 'unprotect_access_level',
              label: 'Who may unprotect',
              control: 'select' as const,
              choices: levelChoices([40, 30, 60]),
              hint: '',
            },
          ]
        : []),
      force,
      ...(tierCovers(tier, 'premium') ? [owners] : []),
    ],
    values: () => ({ merge_access_level: 40 }),
    notice: 'The branch is protected.',
  },
  edit: {
    of: updateProtectedBranch,
    fields: () => [{ ...force, hint: `${force.hint} To change who may push or merge, unprotect the branch and protect it again.` }, owners],
    values: ({ protectedBranch }: { readonly protectedBranch: ProtectedBranchRow }) => ({ ...protectedBranch }),
    notice: 'The protection was changed.',
  },
  remove: { of: unprotectBranch, button: 'Unprotect', notice: 'The branch is not protected any more.', confirms: true },
})
