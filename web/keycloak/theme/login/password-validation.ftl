<#-- Keycloak's looks for a password that registration may not ask for, and says the rule only after a wrong try. -->
<#macro templates>
</#macro>
<#macro script field="">
    <#if passwordPolicies.length??>
        <template id="gh-rule" data-field="${field}">${msg("invalidPasswordMinLengthMessage", passwordPolicies.length)}</template>
    </#if>
</#macro>
