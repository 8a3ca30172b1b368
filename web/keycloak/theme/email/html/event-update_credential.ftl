<#import "template.ftl" as layout>
<@layout.emailLayout>
${kcSanitize(msg("eventUpdateCredentialBodyHtml", msg("credential." + (event.getDetail("credential_type")!"other")), event.date, event.ipAddress, properties.ghNotMe))?no_esc}
</@layout.emailLayout>
