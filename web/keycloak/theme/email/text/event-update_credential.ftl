<#ftl output_format="plainText">
${msg("eventUpdateCredentialBody", msg("credential." + (event.getDetail("credential_type")!"other")), event.date, event.ipAddress, properties.ghNotMe)}
