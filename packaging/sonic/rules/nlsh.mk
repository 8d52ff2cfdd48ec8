# nlsh: answers the ip and bridge commands of a container's daemons without exec

NLSH_VERSION = 0.1.0
NLSH_VERSION_FULL = $(NLSH_VERSION)-1
export NLSH_VERSION NLSH_VERSION_FULL

NLSH = nlsh_$(NLSH_VERSION_FULL)_$(CONFIGURED_ARCH).deb
$(NLSH)_SRC_PATH = $(SRC_PATH)/nlsh
SONIC_MAKE_DEBS += $(NLSH)

NLSH_PRELOAD = nlsh-preload_$(NLSH_VERSION_FULL)_$(CONFIGURED_ARCH).deb
$(NLSH_PRELOAD)_RDEPENDS += $(NLSH)
$(eval $(call add_derived_package,$(NLSH),$(NLSH_PRELOAD)))

export NLSH NLSH_PRELOAD
