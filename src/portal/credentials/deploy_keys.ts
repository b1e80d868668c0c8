/** The deploy keys of a project: machines that fetch, or push, over SSH. */
import { addDeployKey, changeDeployKey, enableDeployKey, listProjectDeployKeys, removeDeployKey } from '../../code/deploy_keys/endpoints.ts'
import type { ProjectDeployKeyRow } from '../../code/deploy_keys/queries.ts'
import { NO_SSH_KEY } from '../../identity/keys/parse.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { time } from '../../platform/pages/components/time.ts'
import { html } from '../../platform/pages/html.ts'
import type { InEither } from '../places/planning.ts'
import { projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'

interface Key {
  readonly id: number
  readonly title: string
  readonly fingerprint: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly can_push: boolean
  readonly active: boolean
}

const canPush = { name: 'can_push', label: 'May push', hint: 'Else it fetches alone.' }

export const projectDeployKeyPages = thingPages<InEither, Key>({
  home: projectHome,
  path: '/-/settings/deploy_keys',
  key: 'deploy_keys',
  title: 'Deploy keys',
  icon: 'key',
  purpose: 'With a deploy key a machine fetches or pushes over SSH, without an account.',
  list: listProjectDeployKeys,
  row: ({ title, fingerprint, created_at, expires_at, can_push, active }) =>
    html`<div class="title">${title} ${chip(can_push ? 'May push' : 'Fetches')} ${!active && chip('Stopped', 'attention')}</div><div class="mono muted break">${fingerprint}</div><div class="facts"><span>Added ${time(created_at)}</span>${expires_at !== null && html`<span>ends ${time(expires_at)}</span>`}${!active && html`<span>Who enabled it may not do here what it does</span>`}</div>`,
  labelOf: ({ title }) => title,
  idOf: ({ id }) => id,
  id: 'key_id',
  add: {
    of: addDeployKey,
    title: 'Add deploy key',
    fields: () => [
      { name: 'title', autofocus: true, hint: 'Which machine has it.' },
      {
        name: 'key',
        label: 'Public key',
        control: 'textarea',
        hint: 'The contents of a file that ends in .pub, as ~/.ssh/id_ed25519.pub.',
        invalid: NO_SSH_KEY,
      },
      { name: 'expires_at', label: 'Ends at (UTC)', hint: 'Empty: it does not end.' },
      canPush,
    ],
    notice: 'The key was added.',
    confirms: true,
  },
  edit: {
    of: changeDeployKey,
    named: ({ deployKey }: { readonly deployKey: ProjectDeployKeyRow }) => deployKey.title,
    fields: () => [{ name: 'title', required: true, hint: '' }, canPush],
    values: ({ deployKey: { title, can_push } }: { readonly deployKey: ProjectDeployKeyRow }) => ({ title, can_push }),
    notice: 'The key was changed.',
    confirms: true,
  },
  actions: [
    {
      key: 'enable',
      button: 'Enable again',
      of: enableDeployKey,
      isFor: ({ active }) => !active,
      notice: 'The key works again, on your behalf.',
      confirms: true,
    },
  ],
  remove: { of: removeDeployKey, button: 'Remove', notice: 'The key opens nothing here any more.', confirms: true },
})
