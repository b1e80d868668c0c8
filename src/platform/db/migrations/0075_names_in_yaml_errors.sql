-- Messages about included files used to repeat names with the values of variables in them, and everybody who sees a pipeline sees its
-- errors. The names of pipelines that have failed before are taken out: nothing tells which of them hold a value.
update pipelines
   set yaml_errors = regexp_replace(yaml_errors, '`[^`]*`', '`[removed]`', 'g')
 where yaml_errors ~ '(Included file|Local file|Remote file|No file matches|Template|Component|Project|reference|include:project) `';
