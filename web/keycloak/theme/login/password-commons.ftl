<#import "field.ftl" as field>
<#-- Keycloak's macro, but ticked by default: a new password signs out other sessions, such as a thief's. -->
<#macro logoutOtherSessions>
    <div id="kc-form-options" class="${properties.kcFormOptionsClass!}">
        <div class="${properties.kcFormOptionsWrapperClass!}">
            <@field.checkbox name="logout-sessions" label=msg("logoutOtherSessions") value=(pageId == "login-update-password") />
        </div>
    </div>
</#macro>
