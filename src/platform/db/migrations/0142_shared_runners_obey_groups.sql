-- Groups that switched shared runners off before it had an effect: what is below them follows now.
with final as (select id from namespaces where shared_runners_setting = 'disabled_and_unoverridable')
update namespaces set shared_runners_setting = 'disabled_and_unoverridable'
 where shared_runners_setting <> 'disabled_and_unoverridable' and exists (select from final where namespaces.traversal_ids @> array[final.id]);

update projects set shared_runners_enabled = false
 where shared_runners_enabled
   and namespace_id in (select id from namespaces where shared_runners_setting = 'disabled_and_unoverridable');
