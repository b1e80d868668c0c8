/** Integrations in the world: eight in each place, of kinds from which nothing follows, and the values of their addresses. */
import type { Where } from './examples.ts'
import type { Things, World } from './world.ts'

const slug = 'external-wiki'
const kinds = [slug, 'asana', 'assembla', 'bamboo', 'campfire', 'flowdock', 'irker', 'pushover']

export const integrationScopes: Readonly<Record<string, (where: Where) => Things>> = {
  inProjectIntegration: ({ place }) => ({ id: place.project.id, slug }),
  inGroupIntegration: ({ place }) => ({ id: place.group.id, slug }),
  inInstanceIntegration: () => ({ slug }),
  inProjectIntegrationPage: ({ place }) => ({ project_path: place.project.full_path, slug }),
  inGroupIntegrationPage: ({ place }) => ({ group_path: place.group.full_path, slug }),
}

const wiki = () => ({ external_wiki_url: 'https://wiki.example.com/handbook' })

export const integrationParameters = {
  'PUT /projects/:id/services/:slug': wiki,
  'PUT /projects/:id/integrations/:slug': wiki,
  'PUT /groups/:id/integrations/:slug': wiki,
  'PUT /admin/integrations/:slug': wiki,
  'POST /:project_path/-/settings/integrations/:slug/edit': wiki,
  'POST /groups/:group_path/-/settings/integrations/:slug/edit': wiki,
  'POST /admin/integrations/:slug/edit': wiki,
}

/** Sets them up. */
export async function integrations({ scene, places }: World): Promise<void> {
  const { db } = scene.deps.database
  const owners = Object.values(places).flatMap(({ group, project }) => [{ namespace_id: group.id }, { project_id: project.id }])
  const rows = [{}, ...owners].flatMap(owner =>
    kinds.map(kind => ({ ...owner, slug: kind, properties: JSON.stringify({ subdomain: kind }) })),
  )
  await db.insertInto('integrations').values(rows).execute()
}
