/** The dependency proxy of a group in its settings: what names of images begin with, what is kept, and removing that. */
import { proxiedName } from '../../../delivery/container_registry/names.ts'
import { keptBy } from '../../../delivery/container_registry/proxy/cache.ts'
import { purgeDependencyProxy } from '../../../delivery/container_registry/proxy/endpoints.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { copyField } from '../../../platform/pages/components/copy.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { bytesText } from '../../../platform/pages/components/numbers.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { groupPath } from '../../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { settingsPlaceOf } from '../../place_settings/place.ts'
import type { OfGroup } from './declared.ts'

const path = '/groups/:group_path/-/settings/dependency_proxy'
const addressOf = ({ group }: OfGroup): string => groupPath(group, '/-/settings/dependency_proxy')

export const showDependencyProxy = pageEndpoint({
  route: `GET ${path}`,
  summary: 'Show the dependency proxy of a group',
  scope: inGroupPage,
  can: 'admin_group',
  async run(ctx) {
    const behind = ctx.deps.config.dependencyProxyUrl
    const body =
      behind === undefined
        ? empty({ icon: 'container', title: 'No dependency proxy', says: 'The administrator of this server has switched it off.' })
        : await proxyView(ctx, behind)
    return page(ctx, { title: 'Dependency proxy', place: settingsPlaceOf(ctx, 'dependency_proxy'), width: 'medium', body })
  },
})

async function proxyView(ctx: Context & OfGroup, behind: string) {
  const { db, group, url } = ctx
  const { images, bytes } = await keptBy(db, group.id)
  const prefix = `${new URL(url).host}/${proxiedName(group.full_path, '').toLowerCase()}`
  return html`<div class="stack">
<p>Members of the group pull images of <span class="mono">${new URL(behind).host}</span> through it. What was pulled is kept, and comes from here the next time. <a href="/help/container_registry#images-of-other-registries">More about it</a></p>
<div class="field"><span class="label">Names of images begin with</span>${copyField('what names of images begin with', prefix)}</div>
<dl class="facts-list"><dt>Kept images</dt><dd>${String(images)}</dd><dt>Their layers</dt><dd>${bytesText(bytes)}</dd></dl>
${images + bytes > 0 && html`<div class="row">${actionButton(ctx, { to: `${addressOf(ctx)}/purge`, face: 'Remove all kept images', look: 'danger', asks: 'Remove all kept images? The next pull of each fetches it again.' })}</div>`}</div>`
}

export const purgeKeptImages = action<OfGroup>({
  route: `POST ${path}/purge`,
  of: purgeDependencyProxy,
  scope: inGroupPage,
  next: addressOf,
  notice: 'The kept images are removed.',
})
