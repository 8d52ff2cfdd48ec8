# What sonic-buildimage's slave.mk does with the rules of a package: includes them, and calls the Makefile in src/NAME for each file.
SRC_PATH = src
DOCKERS_PATH = dockers
SONIC_CONFIG_MAKE_JOBS = 2
export CONFIGURED_ARCH SONIC_CONFIG_MAKE_JOBS

# add_derived_package,main,derived
define add_derived_package
$(2)_DEPENDS += $(1)
$(2)_MAIN_DEB = $(1)
$(1)_DERIVED_DEBS += $(2)
SONIC_DERIVED_DEBS += $(2)
endef

include rules/nlsh.mk
include rules/docker-orchagent.mk

.PHONY: debs
debs: $(addprefix $(DEBS)/, $(filter $(NLSH) $(NLSH_PRELOAD), $($(DOCKER_ORCHAGENT)_DEPENDS)))

$(addprefix $(DEBS)/, $(SONIC_MAKE_DEBS)): $(DEBS)/%:
	$(MAKE) DEST=$(DEBS) -C $($*_SRC_PATH) $(DEBS)/$*

$(addprefix $(DEBS)/, $(SONIC_DERIVED_DEBS)): $(DEBS)/%: $(DEBS)/$(NLSH)
	test -f $@
