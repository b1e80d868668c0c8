/** The resource groups of a project: which job has the resource of each, which wait for it, and in which order they get it. */
import { listResourceGroups, updateResourceGroup } from '../../ci/resource_groups/endpoints.ts'
import { type QueuedJob, queuesOf, type ResourceGroupRow, type ResourceQueue } from '../../ci/resource_groups/queries.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { jobPath } from '../jobs/scope.ts'
import { statusIcon } from '../pipelines/status_view.ts'
import type { InEither } from '../places/planning.ts'
import { projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'

type Group = Pick<ResourceGroupRow, 'id' | 'key' | 'process_mode'>

/** Waiting jobs of a group that are shown. */
const MOST_WAITING = 5

const modes = {
  unordered: ['Unordered', 'Whichever job is ready first.'],
  oldest_first: ['Oldest first', 'Jobs of older pipelines before those of newer ones, also where they are ready later.'],
  newest_first: ['Newest first', 'Jobs of newer pipelines before those of older ones.'],
} as const satisfies Readonly<Record<Group['process_mode'], readonly [label: string, hint: string]>>

const jobLink = (project: { readonly full_path: string }, job: QueuedJob): Html =>
  html`${statusIcon(job.status)} <a href="${jobPath(project, job)}">${job.name}</a> of <span class="mono">${job.ref}</span>`

function queueView(project: { readonly full_path: string }, queue: ResourceQueue | undefined): Html {
  const waiting = queue?.waiting.slice(0, MOST_WAITING) ?? []
  return html`<div class="facts"><span>${queue?.holder ? html`Held by ${jobLink(project, queue.holder)}` : 'Free'}</span></div>${
    waiting.length > 0 &&
    html`<p class="small muted">Waiting:</p><ol class="plain-list small">${waiting.map(job => html`<li>${jobLink(project, job)}</li>`)}${(queue?.waiting.length ?? 0) > MOST_WAITING && html`<li class="muted">and more</li>`}</ol>`
  }`
}

export const resourceGroupPages = thingPages<InEither, Group, ReadonlyMap<number, ResourceQueue>>({
  home: projectHome,
  path: '/-/settings/resource_groups',
  key: 'resource_groups',
  live: 'resource_groups',
  title: 'Resource groups',
  icon: 'lock',
  purpose:
    'Jobs with the same “resource_group” in the CI file run one at a time, so that no two deploy to one machine. A group is here after its first job.',
  list: listResourceGroups,
  more: ({ db }, rows) =>
    queuesOf(
      db,
      rows.map(({ id }) => id),
      MOST_WAITING + 1,
    ),
  row: ({ id, key, process_mode }, { project }, queues) =>
    html`<div class="title mono break">${key}</div><div class="facts"><span title="${modes[process_mode][1]}">${icon('list-ordered')} ${modes[process_mode][0]}</span></div>${project && queueView(project, queues.get(id))}`,
  labelOf: ({ key }) => key,
  idOf: ({ key }) => key,
  id: 'key',
  edit: {
    of: updateResourceGroup,
    named: ({ resourceGroup }: { readonly resourceGroup: ResourceGroupRow }) => resourceGroup.key,
    fields: () => [
      {
        name: 'process_mode',
        label: 'Order in which waiting jobs run',
        hint: '',
        control: 'radio',
        choices: Object.entries(modes).map(([mode, [label, hint]]) => [mode, label, hint] as const),
      },
    ],
    values: ({ resourceGroup }: { readonly resourceGroup: ResourceGroupRow }) => ({ process_mode: resourceGroup.process_mode }),
    notice: 'The order was changed.',
  },
})
